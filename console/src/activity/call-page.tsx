import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useEntryNames } from '../components/call-names.js';
import { callTitle, plannedTimeText, plannedTitle } from '../components/calls.js';
import { useUndoableCalls } from '../components/calls-of-import.js';
import { EmptyState, NotAllowed } from '../components/empty-state.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { isUndoable } from '../components/undo-calls.js';
import { UndoDialog } from '../components/undo-dialog.js';
import { useTargetNames } from '../components/use-target-names.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { type Call, didText, type FoundCall, hasRun, isWaiting, refetchMs } from './call.js';
import { CallFacts, CallRelations } from './call-facts.js';
import { CallItems } from './call-items.js';
import { CallDecisions, PlanNotice } from './call-plan.js';
import { CallScope } from './call-scope.js';

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
  const names = useEntryNames(call ? [call] : []);
  const nameOf = useTargetNames(call?.patch);
  const title = call ? titleOf(call, callTitle(call, undefined, names, nameOf)) : copy.loading;
  return (
    <>
      <Anchor component={Link} href="/activity/calls" size="sm">
        {copy.back}
      </Anchor>
      <PageTitle title={title} section={commonCopy.activity}>
        {call && <CallDecisions call={call} />}
        {call && <UndoButton call={call} />}
      </PageTitle>
      {maySee ? <CallState call={call} error={error} onRetry={() => void refetch()} /> : <NotAllowed />}
    </>
  );
}

/** With when it runs, or ran. */
function titleOf(call: Call, done: string): string {
  const time = call.plan ? plannedTimeText(call.plan) : undefined;
  const planned = plannedTitle(call);
  if (planned !== undefined && time !== undefined) return planned;
  return copy.title(planned ?? done, time ?? formatDateTime(call.startedAt));
}

interface CallStateProps {
  readonly call: FoundCall | undefined;
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

function CallFound({ call }: { call: FoundCall }) {
  return (
    <Stack gap="lg">
      <CallRelations call={call} />
      <PlanNotice call={call} />
      {hasRun(call) && <CallSummary call={call} />}
      {(isWaiting(call) || call.plan?.isRejected) && <CallScope call={call} />}
      <CallFacts call={call} />
      {(isWaiting(call) || hasRun(call) || call.plan?.isRejected) && (
        <CallItems key={call.state} call={call} />
      )}
    </Stack>
  );
}

/** What became of users, in the words of an import's result. */
function CallSummary({ call }: { call: FoundCall }) {
  return (
    <Text fw={600} role="status">
      {didText(call)}
    </Text>
  );
}

function UndoButton({ call }: { call: Call }) {
  const [ids, setIds] = useState<readonly string[]>();
  const parts = useUndoableCalls(call.requestId).map(({ id }) => id);
  const mayUndo = usePermission('users:write');
  return (
    <>
      {mayUndo && isUndoable(call) && (
        <Button variant="default" onClick={() => setIds([call.id])}>
          {parts.length > 1 ? copy.undoPart : copy.undo}
        </Button>
      )}
      {mayUndo && parts.length > 1 && (
        <Button variant="default" onClick={() => setIds(parts)}>
          {copy.undoImport(parts.length)}
        </Button>
      )}
      {/* Stays to show the result, although the call can't be undone again. */}
      {ids && <UndoDialog ids={ids} onClose={() => setIds(undefined)} />}
    </>
  );
}
