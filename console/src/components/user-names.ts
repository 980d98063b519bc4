import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { rollcall } from '../session/api.js';
import {
  employeeIDsToRead,
  type NamedUser,
  namesIn,
  type ReportedUser,
  type UserNames,
} from './reported-user.js';

/** Names rarely change, and lists repeat them. */
const namesStaleMs = 5 * 60_000;

/** Undefined until the names have been read. */
export function useUserNames(users: readonly ReportedUser[]): UserNames {
  const found = useQueries({
    queries: employeeIDsToRead(users).map(namesQuery),
    combine: (replies) => replies.flatMap(({ data }) => data ?? []),
  });
  return useMemo(() => namesIn(found), [found]);
}

function namesQuery(employeeIDs: string[]) {
  return {
    queryKey: ['user-names', employeeIDs],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly NamedUser[]> =>
      (await rollcall.call('lookupUsers', { body: { employeeIDs }, signal })).body.data.items,
    enabled: employeeIDs.length > 0,
    staleTime: namesStaleMs,
  };
}
