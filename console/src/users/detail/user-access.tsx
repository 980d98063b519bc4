import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../components/problem.js';
import { sessionCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { usePermission } from '../../session/session.js';
import type { User } from '../data/user.js';
import { lastSignInQuery, roleQuery } from '../data/user-queries.js';
import { RecordFact } from './record-fact.js';
import { Section } from './section.js';
import { UserLanguage } from './user-language.js';

/** Whether and how the user can sign in, and what they may do. */
export function UserAccess({ user }: { user: User }) {
  const maySeeHistory = usePermission('audit:read');
  const mayWrite = usePermission('users:write');
  return (
    <Section title={userCopy.access}>
      <Role user={user} />
      <RecordFact name={userPageCopy.signsInWith}>{user.username ?? user.employeeID}</RecordFact>
      {maySeeHistory && <LastSignIn serial={user.serial} />}
      <UserLanguage user={user} mayChange={mayWrite} />
    </Section>
  );
}

function Role({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(roleQuery(user.serial));
  const copy = userCopy.roles;
  if (error !== null) {
    return <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={40} mb="sm" />;
  const { role, formerRole } = data;
  return (
    <RecordFact name={copy.label}>
      {sessionCopy.role(role)}
      <Text size="sm" c="dimmed">
        {user.isActive ? copy.means[role ?? 'none'] : userCopy.isInactive}
      </Text>
      {formerRole !== null && copy.former(sessionCopy.role(formerRole))}
    </RecordFact>
  );
}

function LastSignIn({ serial }: { serial: string }) {
  const { data: at } = useQuery(lastSignInQuery(serial));
  if (at === undefined) return null;
  return (
    <RecordFact name={userPageCopy.lastSignIn}>
      {at === null ? userPageCopy.neverSignedIn : formatDateTime(at)}
    </RecordFact>
  );
}
