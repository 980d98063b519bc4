import { Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { commonCopy, usersCopy } from '../../copy/copy.js';
import { loadedRowCount } from './page-chain.js';
import { totalQuery } from './total-query.js';
import type { PagedUsers } from './use-users.js';

/** Of the list in view, also while another one is loading. */
export function useTotal(users: PagedUsers) {
  const { sort: _, exactFirst: __, ...query } = users.query;
  const isWhole = users.chain.lastPageRows !== undefined;
  const counted = useQuery({ ...totalQuery(query), enabled: !isWhole });
  return {
    total: isWhole ? { count: loadedRowCount(users.chain), isExact: users.isComplete } : counted.data,
    isReady: isWhole || !counted.isPending,
  };
}

export function UserCount({ users }: { users: PagedUsers }) {
  const { sort: _, exactFirst: __, ...query } = users.query;
  const filtered = Object.keys(query).length > 0;
  const loaded = loadedRowCount(users.chain);
  const all = useQuery({ ...totalQuery({}), enabled: filtered });
  const { total, isReady } = useTotal(users);
  const text =
    total == null
      ? usersCopy.moreThan(loaded, filtered)
      : filtered
        ? usersCopy.matching(total, all.data ?? undefined)
        : usersCopy.total(total);
  return (
    <>
      <Text size="sm" c="dimmed">
        {text}
        {!users.isComplete && ` · ${usersCopy.incomplete}`}
      </Text>
      {/* The key announces every new list once, but not every page of it. */}
      <VisuallyHidden role="status" key={users.key}>
        {users.isReplacing || !isReady ? commonCopy.loading : text}
      </VisuallyHidden>
    </>
  );
}
