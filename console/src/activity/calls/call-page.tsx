import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { callName } from '../../components/call-name.js';
import { EmptyState } from '../../components/empty-state.js';
import { NotAllowed } from '../../components/not-allowed.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { activityCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import { UndoDialog } from '../../undo/undo-dialog.js';
import { isUndoable } from '../../undo/undoable.js';
import { CallChanges } from './call-changes.js';
import { CallDecisions } from './call-decisions.js';
import { CallFacts } from './call-facts.js';
import { CallItems } from './call-items.js';
import { CallRelations } from './call-relations.js';
import { type Call, hasRun, isWaiting, refetchMs } from './call-waiting.js';
import { PlanNotice } from './plan-notice.js';

const copy = activityCopy.call;

export function CallPage({ id }: { id: string }) {
  const maySee = usePermission('users:read');
  const {
    data: call,
    error,
    refetch,
  } = useQuery({
    queryKey: ['activity', 'call', id],
    queryFn: async ({ signal }) => (await rollcall.call('getCall', { path: { id }, signal })).body.data,
    refetchInterval: ({ state }) => refetchMs(state.data),
    enabled: maySee,
  });
  const title = call ? copy.title(callName(call), formatDateTime(call.startedAt)) : copy.loading;
  return (
    <>
      <Anchor component={Link} href="/activity/calls" size="sm">
        {copy.back}
      </Anchor>
      <PageTitle title={title}>
        {call && <CallDecisions call={call} />}
        {call && <UndoButton call={call} />}
      </PageTitle>
      {maySee ? <CallState call={call} error={error} onRetry={() => void refetch()} /> : <NotAllowed />}
    </>
  );
}

interface CallStateProps {
  readonly call: Call | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
}

function CallState({ call, error, onRetry }: CallStateProps) {
  if (isRollcallError(error, 'CALL_NOT_FOUND')) {
    return <EmptyState title={copy.notFound} hint={copy.notFoundHint} />;
  }
  return (
    <>
      {error !== null && <Problem title={copy.cannotLoad} error={error} onRetry={onRetry} />}
      {call ? <CallFound call={call} /> : error === null && <Skeleton height={160} />}
    </>
  );
}

/** Changes show more than items, to those who may see them. Only items show failures and previews. */
function CallFound({ call }: { call: Call }) {
  const maySeeChanges = usePermission('audit:read');
  return (
    <Stack gap="lg">
      <CallRelations call={call} />
      <PlanNotice call={call} />
      <CallFacts call={call} />
      {(isWaiting(call) || (hasRun(call) && (call.failed > 0 || !maySeeChanges))) && (
        <CallItems key={call.state} call={call} />
      )}
      {hasRun(call) && <CallChanges call={call} />}
    </Stack>
  );
}

function UndoButton({ call }: { call: Call }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayUndo = usePermission('users:write');
  return (
    <>
      {mayUndo && isUndoable(call) && (
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {copy.undo}
        </Button>
      )}
      {/* Stays to show the result, although the call can't be undone again. */}
      {isOpen && <UndoDialog ids={[call.id]} onClose={() => setIsOpen(false)} />}
    </>
  );
}
