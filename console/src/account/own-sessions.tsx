import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../components/notify.js';
import { ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { endColumn, type Session, sessionColumns } from '../components/session-columns.js';
import { sessionsCopy as copy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';

const queryKey = ['own-sessions'];

/** Where the user is signed in. */
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
    <Section title={copy.title} hint={copy.lead} maxWidth={900}>
      <Stack gap="sm">
        <ActionProblem title={copy.notEnded} error={ending.error} />
        <ListTable
          label={copy.table}
          columns={[...sessionColumns, endColumn((session) => ending.mutate(session))]}
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
    </Section>
  );
}
