import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../components/notify.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem } from '../components/problem.js';
import { sessionsCopy as copy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { queryClient, rollcall } from '../session/api.js';

type Session = Schemas['Session'];

const queryKey = ['own-sessions'];

/** Where the user is signed in. The session of this page ends by signing out. */
export function OwnSessions() {
  const list = usePagedList<Session>({
    key: queryKey,
    load: async (page, signal) => (await rollcall.call('listOwnSessions', { query: page, signal })).body.data,
  });
  const ending = useMutation({
    mutationFn: async (session: Session | undefined) => {
      if (session) await rollcall.call('endOwnSession', { path: { id: session.id } });
      else await rollcall.call('endOtherSessions', {});
    },
    onSuccess: (_, session) => notify(session ? copy.ended : copy.allEnded),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <Paper withBorder p="lg" maw={900} component="section" aria-labelledby="sessions">
      <Title order={2} size="h4" mb="xs" id="sessions">
        {copy.title}
      </Title>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {copy.lead}
        </Text>
        <ActionProblem title={copy.notEnded} error={ending.error} />
        <ListTable
          label={copy.table}
          columns={columnsFor((session) => ending.mutate(session))}
          list={list}
          keyOf={({ id }) => id}
          empty={null}
        />
        <Group>
          <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate(undefined)}>
            {copy.endOthers}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function columnsFor(end: (session: Session) => void): Column<Session>[] {
  return [
    { header: copy.device, cell: ({ device }) => device ?? copy.unknownDevice },
    { header: copy.address, isShort: true, cell: ({ address }) => address ?? '' },
    { header: copy.signedIn, isShort: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
    { header: copy.lastSeen, isShort: true, cell: ({ lastSeenAt }) => formatDateTime(lastSeenAt) },
    {
      header: copy.actions,
      isNumber: true,
      cell: (session) =>
        session.isCurrent ? (
          <Badge variant="light">{copy.current}</Badge>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={copy.endOf(session.device ?? copy.unknownDevice)}
            onClick={() => end(session)}
          >
            {copy.end}
          </Button>
        ),
    },
  ];
}
