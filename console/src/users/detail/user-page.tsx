import { Button, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy } from '../../copy/common.js';
import { userCopy } from '../../copy/user.js';
import { usePermission } from '../../session/session.js';
import { userQuery } from '../data/user-queries.js';
import { UserDetails } from './user-details.js';
import { UserHistory } from './user-history.js';

export function UserPage({ serial }: { serial: string }) {
  const person = useQuery(userQuery(serial));
  if (isRollcallError(person.error, 'USER_NOT_FOUND')) return <UserNotFound serial={serial} />;
  if (person.data)
    return <UserDetails fresh={person.data} error={person.error} onRetry={() => void person.refetch()} />;
  return (
    <>
      <PageTitle title={userCopy.title} />
      {person.isError ? (
        <Problem title={userCopy.notLoaded} error={person.error} onRetry={() => void person.refetch()} />
      ) : (
        <UserLoading />
      )}
    </>
  );
}

/** Whoever was removed by an undo still has a history. */
function UserNotFound({ serial }: { serial: string }) {
  const maySeeHistory = usePermission('audit:read');
  return (
    <>
      <PageTitle title={userCopy.title} />
      <EmptyState title={userCopy.noSuchPerson} hint={userCopy.noSuchPersonHint}>
        <Button component={Link} href="/people" variant="default">
          {userCopy.toPeople}
        </Button>
      </EmptyState>
      {maySeeHistory && <UserHistory serial={serial} />}
    </>
  );
}

function UserLoading() {
  return (
    <Stack role="status" aria-label={commonCopy.loading} maw={720}>
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height={52} />
      ))}
    </Stack>
  );
}
