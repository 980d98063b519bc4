import { Button, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, userCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import { userQuery } from '../data/user-queries.js';
import { UserDetails } from './user-details.js';
import { UserHistory } from './user-history.js';

export function UserPage({ serial }: { serial: string }) {
  const user = useQuery(userQuery(serial));
  if (isRollcallError(user.error, 'USER_NOT_FOUND')) return <UserNotFound serial={serial} />;
  if (user.data)
    return <UserDetails fresh={user.data} error={user.error} onRetry={() => void user.refetch()} />;
  return (
    <>
      <PageTitle title={userCopy.title} />
      {user.isError ? (
        <Problem title={userCopy.notLoaded} error={user.error} onRetry={() => void user.refetch()} />
      ) : (
        <UserLoading />
      )}
    </>
  );
}

/** Users removed by an undo keep their history. */
function UserNotFound({ serial }: { serial: string }) {
  const maySeeHistory = usePermission('audit:read');
  return (
    <>
      <PageTitle title={userCopy.title} />
      <EmptyState title={userCopy.notFound} hint={userCopy.notFoundHint}>
        <Button component={Link} href="/users" variant="default">
          {userCopy.toUsers}
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
