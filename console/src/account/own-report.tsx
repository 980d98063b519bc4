import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ActionProblem } from '../components/problem.js';
import { profileCopy } from '../copy/copy.js';
import { loadOnDemandCopy } from '../copy/load-copy.js';
import { rollcall } from '../session/api.js';
import type { Profile } from './profile-queries.js';

const copy = profileCopy.report;

/** What users can see of their own data, on one page to keep or print. */
export function OwnReport({ profile }: { profile: Profile }) {
  const making = useMutation({ mutationFn: () => makeReport(profile) });
  return (
    <>
      <Group>
        <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
          {copy.action}
        </Button>
      </Group>
      <ActionProblem title={copy.failed} error={making.error} />
    </>
  );
}

async function makeReport({ user, organizationName, tagNames }: Profile): Promise<void> {
  const { body: factors } = await rollcall.call('listOwnFactors');
  const data = {
    user: { ...user, organizationSerial: organizationName, tagSerials: tagNames },
    factors: factors.data.factors,
    sessions: await all(rollcall.each('listOwnSessions')),
    applications: (await rollcall.call('listOwnApplications')).body.data.applications,
    changes: await all(rollcall.each('getOwnHistory')),
  };
  await loadOnDemandCopy();
  const { downloadReport } = await import('../components/personal-report.js');
  downloadReport(user, data, true);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
