import { Anchor, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { isRollcallError, type Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { callTitle } from '../components/calls.js';
import { useUndoableCalls } from '../components/calls-of-import.js';
import { EmptyState, NotAllowed } from '../components/empty-state.js';
import { FieldChanges } from '../components/field-changes.js';
import { PageTitle } from '../components/page-title.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { Problem } from '../components/problem.js';
import type { UserNames } from '../components/reported-user.js';
import { isUndoable } from '../components/undo-calls.js';
import { UndoDialog } from '../components/undo-dialog.js';
import { useTargetNames } from '../components/use-target-names.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { type Call, hasRun, isWaiting, refetchMs } from './call.js';
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
  const nameOf = useTargetNames(call?.patch);
  const title = call
    ? copy.title(callTitle(call, undefined, nameOf), formatDateTime(call.startedAt))
    : copy.loading;
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
      {isWaiting(call) && <CallScope call={call} />}
      <CallFacts call={call} />
      {(isWaiting(call) || (hasRun(call) && (call.failed > 0 || !maySeeChanges))) && (
        <CallItems key={call.state} call={call} />
      )}
      {hasRun(call) && <CallChanges call={call} />}
    </Stack>
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

type Change = Schemas['Change'];

const userOf = ({ userSerial: serial, employeeID, fields }: Change) => ({ serial, employeeID, fields });

const columnsWith = (nameOf: UserNames): readonly Column<Change>[] => [
  {
    header: commonCopy.user,
    cell: (change) => (
      <UserCell
        employeeID={change.employeeID}
        name={nameOf(userOf(change))}
        href={change.kind === 'deleted' ? undefined : `/users/${change.userSerial}`}
      />
    ),
  },
  { header: copy.change, cell: ({ kind }) => commonCopy.changeKinds[kind] },
  { header: copy.fields, cell: ({ fields, kind }) => <FieldChanges fields={fields} kind={kind} /> },
];

function CallChanges({ call }: { call: Call }) {
  const maySee = usePermission('audit:read');
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {copy.changesTitle}
      </Title>
      {maySee ? (
        <ChangesTable call={call} />
      ) : (
        <Text size="sm" c="dimmed">
          {copy.changesNotAllowed}
        </Text>
      )}
    </section>
  );
}

function ChangesTable({ call: { id: callId, changes } }: { call: Call }) {
  const list = usePagedList<Change>({
    key: ['activity', 'changes', callId, changes],
    load: async (page, signal) =>
      (await rollcall.call('listChanges', { query: { callId, ...page }, signal })).body.data,
  });
  const nameOf = useUserNames(list.items.map(userOf));
  return (
    <ListTable
      label={copy.changesTable}
      columns={columnsWith(nameOf)}
      list={list}
      keyOf={({ sequence }) => sequence}
      minWidth={480}
      empty={<Text size="sm">{copy.noChanges}</Text>}
    />
  );
}
