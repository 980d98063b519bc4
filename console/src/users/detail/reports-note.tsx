import { Anchor } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Notice } from '../../components/notice.js';
import { userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { usersKey } from '../data/user-queries.js';

const copy = userCopy.reports;

/** Those who report to someone have no active manager once that person is deactivated or erased. */
export function ReportsNote({ user: { employeeID, name } }: { user: User }) {
  const { data: count } = useQuery(activeReportsQuery(employeeID));
  if (!count) return null;
  const list = new URLSearchParams({ status: 'active', manager: employeeID });
  return (
    <Notice color="yellow" role="status">
      {copy.lose(count, name)}{' '}
      <Anchor component={Link} href={`/users?${list}`} inherit underline="always">
        {copy.show(count)}
      </Anchor>
    </Notice>
  );
}

function activeReportsQuery(employeeID: string) {
  return queryOptions({
    queryKey: [...usersKey, 'active-reports', employeeID],
    queryFn: async ({ signal }) => {
      const query = { manager: employeeID, isActive: true, total: 'approximate', limit: 1 } as const;
      return (await rollcall.call('listUsers', { query, signal })).body.data.total?.count ?? 0;
    },
    staleTime: 0,
  });
}
