import { Anchor, Avatar, Badge, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { CopyButton } from '../../components/copy-button.js';
import { useDisplayNames } from '../../components/directory.js';
import { usersPath } from '../../components/entry-name.js';
import { commonCopy, sessionCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { roleQuery, type VersionedUser } from '../data/user-queries.js';
import { usersListPath } from '../list/scroll-memory.js';
import { initialsOf } from './initials.js';
import { UserActions } from './user-actions.js';
import css from './user-page.module.css';

/** Who it is, and what can be done. */
export function UserHeader({ fresh }: { fresh: VersionedUser }) {
  const { user } = fresh;
  useDocumentTitle(`${user.name} · Rollcall`);
  return (
    <header className={css.header}>
      <Anchor component={Link} href={usersListPath()} size="sm" display="inline-block" mb="xs">
        ← {userCopy.back}
      </Anchor>
      <div className={css.identity}>
        <Avatar size={52} radius="xl" color="gray" aria-hidden className={css.avatar}>
          {initialsOf(user.name)}
        </Avatar>
        <div className={css.who}>
          <Group gap="sm" align="center">
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {user.name}
            </Title>
            <Badge color={user.isActive ? 'green' : 'gray'} variant="dot" size="lg" tt="none">
              {user.isActive ? commonCopy.active : commonCopy.inactive}
            </Badge>
          </Group>
          <Group component="ul" gap={0} className={css.facts}>
            <li>
              <Text span size="sm" className={css.id}>
                {user.employeeID}
              </Text>{' '}
              <CopyButton value={user.employeeID} label={userPageCopy.copyEmployeeId(user.employeeID)} />
            </li>
            <li>
              <RoleName serial={user.serial} />
            </li>
            <li>
              <Organization serial={user.organizationSerial} />
            </li>
          </Group>
        </div>
        <UserActions fresh={fresh} />
      </div>
    </header>
  );
}

function RoleName({ serial }: { serial: string }) {
  const { data } = useQuery(roleQuery(serial));
  return data ? sessionCopy.role(data.role) : null;
}

function Organization({ serial }: { serial: string | null }) {
  const names = useDisplayNames('organizations', serial === null ? [] : [serial]);
  if (serial === null) return userPageCopy.noOrganization;
  return (
    <Anchor component={Link} href={usersPath('organizations', serial)} inherit>
      {names.get(serial) ?? serial}
    </Anchor>
  );
}
