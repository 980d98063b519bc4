import { Button, Stack } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../components/notify.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { applicationsCopy } from '../copy/account-copy.js';
import { formatDateTime } from '../copy/format.js';
import { queryClient, rollcall } from '../session/api.js';

const copy = applicationsCopy.own;
const queryKey = ['own-applications'];

type OwnApplication = Schemas['OwnApplication'];

const columns: readonly Column<OwnApplication>[] = [
  { header: copy.application, cell: ({ name }) => name },
  { header: copy.first, isShort: true, cell: ({ firstSignedInAt }) => formatDateTime(firstSignedInAt) },
  { header: copy.last, isShort: true, cell: ({ lastUsedAt }) => formatDateTime(lastUsedAt) },
];

/** What has access to the user's data. Nothing is shown to users who have never signed in to an application. */
export function OwnApplications() {
  const list = usePagedList<OwnApplication>({
    key: queryKey,
    load: async (_, signal) => ({
      items: (await rollcall.call('listOwnApplications', { signal })).body.data.applications,
      nextCursor: null,
    }),
  });
  const ending = useMutation({
    mutationFn: ({ id }: OwnApplication) => rollcall.call('endOwnAccess', { path: { id } }),
    onSuccess: () => notify(copy.ended),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  if (list.items.length === 0) return null;
  const end: Column<OwnApplication> = {
    header: copy.actions,
    isNumber: true,
    cell: (application) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={copy.endOf(application.name)}
        onClick={() => ending.mutate(application)}
      >
        {copy.end}
      </Button>
    ),
  };
  return (
    <Section title={copy.title} hint={copy.lead} maxWidth={900}>
      <Stack gap="sm">
        <ActionProblem title={copy.notEnded} error={ending.error} />
        <ListTable
          label={copy.table}
          columns={[...columns, end]}
          list={list}
          keyOf={({ id }) => id}
          empty={null}
        />
      </Stack>
    </Section>
  );
}
