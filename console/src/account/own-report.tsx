import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../components/notify.js';
import { ActionProblem } from '../components/problem.js';
import { profileCopy } from '../copy/account-copy.js';
import { userCopy } from '../copy/copy.js';
import { loadOnDemandCopy } from '../copy/load-copy.js';
import { rollcall } from '../session/api.js';
import type { Profile } from './profile-queries.js';

const copy = profileCopy.report;

/** What users can see of their own data, on one page to keep or print. */
export function OwnReport({ profile }: { profile: Profile }) {
  const making = useMutation({
    mutationFn: () => makeReport(profile),
    onSuccess: (file) => notify(userCopy.personalData.saved(file)),
  });
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

async function makeReport({ user, organizationName, tagNames }: Profile): Promise<string> {
  const { body: factors } = await rollcall.call('listOwnFactors');
  const { organizationSerial, tagSerials, manager } = user;
  const data = {
    user,
    factors: factors.data.factors,
    sessions: await all(rollcall.each('listOwnSessions')),
    applications: (await rollcall.call('listOwnApplications')).body.data.applications,
    changes: await all(rollcall.each('getOwnHistory')),
    names: {
      organizations: namesBy([organizationSerial], [organizationName]),
      tags: namesBy(tagSerials, tagNames),
      users: namesBy([manager?.serial], [manager?.name]),
    },
  };
  await loadOnDemandCopy();
  const { downloadReport } = await import('../components/personal-report.js');
  return downloadReport(user, data, true);
}

type Texts = readonly (string | null | undefined)[];

function namesBy(ids: Texts, names: Texts): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.flatMap((id, at) => (id && names[at] ? [[id, names[at]]] : [])));
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
