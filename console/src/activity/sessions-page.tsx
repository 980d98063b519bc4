import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { UserLink } from '../components/actor.js';
import { ConfirmDialog } from '../components/dialog.js';
import { EmptyState } from '../components/empty-state.js';
import { UserFilter, useFilters } from '../components/filters.js';
import { notify } from '../components/notify.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem } from '../components/problem.js';
import { endColumn, type Session, sessionColumns } from '../components/session-columns.js';
import { commonCopy, sessionsCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';

const copy = sessionsCopy.all;
const queryKey = ['activity', 'sessions'];
const reload = () => queryClient.invalidateQueries({ queryKey });

/** Who is signed in: everybody, or one user. */
export function SessionsPage() {
  const { get, set } = useFilters();
  const userSerial = get('userSerial') ?? undefined;
  const list = usePagedList<Session>({
    key: [...queryKey, { userSerial }],
    load: async (page, signal) =>
      (await rollcall.call('listSessions', { query: { userSerial, ...page }, signal })).body.data,
  });
  const ending = useMutation({
    mutationFn: async ({ id }: Session) => {
      await rollcall.call('endSession', { path: { id } });
      notify(sessionsCopy.ended);
    },
    onSettled: reload,
  });
  const showsAll = userSerial === undefined;
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text c="dimmed">{copy.lead}</Text>
        {showsAll ? <EndAll /> : <EndAllOf serial={userSerial} />}
      </Group>
      {!showsAll && (
        <Group mb="sm" align="baseline">
          <UserFilter label={copy.onlyUser} serial={userSerial} />
          <Button variant="subtle" size="compact-sm" onClick={() => set({ userSerial: null })}>
            {commonCopy.clearFilters}
          </Button>
        </Group>
      )}
      <ActionProblem title={sessionsCopy.notEnded} error={ending.error} />
      <ListTable
        label={sessionsCopy.table}
        columns={[...userColumns, ...sessionColumns, endColumn((session) => ending.mutate(session))]}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState title={showsAll ? copy.empty : copy.emptyOfUser} />}
      />
    </>
  );
}

const userColumns: readonly Column<Session>[] = [
  { header: copy.user, cell: ({ userSerial }) => <UserLink serial={userSerial} /> },
  { header: copy.method, isShort: true, cell: ({ method }) => copy.methods[method] },
];

function EndAllOf({ serial }: { serial: string }) {
  const ending = useMutation({
    mutationFn: async () => (await rollcall.call('endSessionsOfUser', { path: { serial } })).body.data.ended,
    onSuccess: (ended) => notify(copy.done(ended)),
    onSettled: reload,
  });
  return (
    <>
      <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
        {copy.endOfUser}
      </Button>
      <ActionProblem title={sessionsCopy.notEnded} error={ending.error} />
    </>
  );
}

function EndAll() {
  const [isAsking, setIsAsking] = useState(false);
  const end = async () => {
    const { body } = await rollcall.call('endAllSessions', { query: { everybody: true } });
    notify(copy.done(body.data.ended));
    await reload();
  };
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        {copy.endEverybody}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={copy.confirmTitle}
          confirm={copy.endEverybody}
          isDangerous
          failed={sessionsCopy.notEnded}
          action={end}
          onClose={() => setIsAsking(false)}
        >
          {copy.confirmText}
        </ConfirmDialog>
      )}
    </>
  );
}
