import { Anchor, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { rollcall } from '../session/api.js';
import {
  employeeIDsToRead,
  type NamedUser,
  namesIn,
  type ReportedUser,
  type UserNames,
} from './reported-user.js';

interface UserCellProps {
  readonly employeeID: string;
  /** Undefined until it is known. */
  readonly name: string | undefined;
  readonly href?: string | undefined;
}

/** A user in a table: the name, and the employee ID below it. */
export function UserCell({ employeeID, name, href }: UserCellProps) {
  const text = name ?? employeeID;
  return (
    <>
      {href === undefined ? (
        text
      ) : (
        <Anchor component={Link} href={href} size="sm">
          {text}
        </Anchor>
      )}
      {name !== undefined && (
        <Text size="xs" c="dimmed">
          {employeeID}
        </Text>
      )}
    </>
  );
}

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
