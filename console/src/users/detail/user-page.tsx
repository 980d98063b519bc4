import { Button, Skeleton, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { usePermission } from '../../session/session.js';
import { newestChangesQuery, userQuery } from '../data/user-queries.js';
import { UserTimeline } from '../timeline/user-timeline.js';
import { Section } from './section.js';
import { UserDetails } from './user-details.js';

export function UserPage({ serial }: { serial: string }) {
  const user = useQuery(userQuery(serial));
  if (isRollcallError(user.error, 'USER_NOT_FOUND'))
    return <GoneUser serial={serial} title={userCopy.notFound} hint={userCopy.notFoundHint} />;
  if (isRollcallError(user.error, 'USER_ERASED')) {
    const { erasedAt } = user.error.data;
    const hint = userPageCopy.erasedHint(erasedAt === undefined ? undefined : formatDateTime(erasedAt));
    return <GoneUser serial={serial} title={userPageCopy.erased} hint={hint} />;
  }
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

interface GoneUserProps {
  readonly serial: string;
  readonly title: string;
  readonly hint: string;
}

/** Users removed by an undo keep their history. */
function GoneUser({ serial, title, hint }: GoneUserProps) {
  const maySeeHistory = usePermission('audit:read');
  return (
    <>
      <PageTitle title={userCopy.title} />
      <EmptyState title={title} hint={hint}>
        <Button component={Link} href="/users" variant="default">
          {userCopy.toUsers}
        </Button>
      </EmptyState>
      {maySeeHistory && <FormerHistory serial={serial} />}
    </>
  );
}

/** Nothing if the user never existed. */
function FormerHistory({ serial }: { serial: string }) {
  const { data: changes = [] } = useQuery(newestChangesQuery(serial));
  if (changes.length === 0) return null;
  return (
    <Section title={userPageCopy.tabs.history}>
      <UserTimeline serial={serial} />
    </Section>
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
