import { Anchor, Badge, Grid, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, plannedCopy, userCopy, usersCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { usePermission } from '../../session/session.js';
import type { VersionedUser } from '../data/user-queries.js';
import { usersListPath } from '../list/scroll-memory.js';
import { EmployeeIds } from './employee-ids.js';
import { PersonalData } from './personal-data.js';
import { ResetPassword } from './reset-password.js';
import { Section } from './section.js';
import { UpcomingChanges } from './upcoming-changes.js';
import { UserFacts } from './user-facts.js';
import { UserForm } from './user-form.js';
import { UserHistory } from './user-history.js';
import { UserLanguage } from './user-language.js';
import { UserRole } from './user-role.js';
import { UserStatus } from './user-status.js';

interface UserDetailsProps {
  readonly fresh: VersionedUser;
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function UserDetails({ fresh, error, onRetry }: UserDetailsProps) {
  const { user } = fresh;
  const mayWrite = usePermission('users:write');
  const mayAdminister = usePermission('access:admin');
  const maySeeHistory = usePermission('audit:read');
  return (
    <>
      <Anchor component={Link} href={usersListPath()} size="sm" display="inline-block" mb={4}>
        ← {userCopy.back}
      </Anchor>
      <PageTitle title={user.name}>
        <Badge color={user.isActive ? 'green' : 'gray'} variant="dot" size="lg">
          {user.isActive ? commonCopy.active : commonCopy.inactive}
        </Badge>
      </PageTitle>
      {error !== null && <Problem title={userCopy.notRefreshed} error={error} onRetry={onRetry} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title={userCopy.details}>
            {mayWrite ? <UserForm fresh={fresh} /> : <UserFacts user={user} />}
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <Section title={userCopy.status}>
              <UserStatus fresh={fresh} mayChange={mayWrite} />
            </Section>
            {fresh.upcomingChanges && fresh.upcomingChanges.length > 0 && (
              <Section title={plannedCopy.upcoming.title}>
                <UpcomingChanges changes={fresh.upcomingChanges} />
              </Section>
            )}
            <Section title={userCopy.access}>
              <UserRole user={user} mayChange={mayAdminister} />
              {mayAdminister && <ResetPassword user={user} />}
              <UserLanguage user={user} mayChange={mayWrite} />
            </Section>
            <EmployeeIds serial={user.serial} />
            {mayAdminister && maySeeHistory && (
              <Section title={userCopy.personalData.title}>
                <PersonalData user={user} />
              </Section>
            )}
            <Section title={userCopy.record}>
              <Fact name={usersCopy.createdAt}>{formatDateTime(user.createdAt)}</Fact>
              <Fact name={usersCopy.updatedAt}>{formatDateTime(user.updatedAt)}</Fact>
              <Fact name={userCopy.serial}>
                <span style={{ overflowWrap: 'anywhere' }}>{user.serial}</span>
              </Fact>
            </Section>
          </Stack>
        </Grid.Col>
        {maySeeHistory && (
          <Grid.Col span={12}>
            <UserHistory serial={user.serial} />
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline" mb={4}>
      <Text size="sm" c="dimmed" w={80} flex="none">
        {name}
      </Text>
      <Text size="sm">{children}</Text>
    </Group>
  );
}
