import { Anchor, Avatar, Badge, Button, Group, Menu, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { CopyButton } from '../../components/copy-button.js';
import { useDisplayNames } from '../../components/directory.js';
import { downloadJson } from '../../components/download.js';
import { usersPath } from '../../components/entry-name.js';
import { notify } from '../../components/notify.js';
import { useHeadingFocus, useTabTitle } from '../../components/page-title.js';
import { ActionProblem } from '../../components/problem.js';
import { commonCopy, sessionCopy, sessionsCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { loadAccountCopy, loadOnDemandCopy } from '../../copy/load-copy.js';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import { initialsOf, type User } from '../data/user.js';
import { roleQuery, type UpcomingChange, type VersionedUser } from '../data/user-queries.js';
import { usersListPath } from '../list/scroll-memory.js';
import { EraseDialog, ResetFactorsDialog, ResetPasswordDialog, RoleDialog } from './account-dialogs.js';
import { leavingText } from './leaving.js';
import { ManagerName } from './organization-chart.js';
import { DeactivateDialog, ReactivateDialog } from './status-dialogs.js';
import css from './user-page.module.css';

interface UserHeaderProps {
  readonly fresh: VersionedUser;
  /** Which part of the page is shown, unless it is the first. */
  readonly part: string | undefined;
}

/** Who it is, and what can be done. */
export function UserHeader({ fresh, part }: UserHeaderProps) {
  const { user } = fresh;
  useTabTitle(part, user.name, commonCopy.users);
  const heading = useHeadingFocus();
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
            <Title
              order={1}
              size="h2"
              ref={heading}
              tabIndex={-1}
              style={{ overflowWrap: 'anywhere', outline: 'none' }}
            >
              {user.name}
            </Title>
            <Badge color={user.isActive ? 'green' : 'gray'} variant="dot" size="lg" tt="none">
              {user.isActive ? commonCopy.active : commonCopy.inactive}
            </Badge>
            {user.isActive && <Leaving changes={fresh.upcomingChanges ?? []} />}
          </Group>
          <Group component="ul" gap={0} className={css.facts}>
            <li>
              <Text span size="sm" className={css.id}>
                {user.employeeID}
              </Text>{' '}
              <CopyButton value={user.employeeID} label={userPageCopy.copyEmployeeId(user.employeeID)} />
            </li>
            <RoleName serial={user.serial} />
            <li>
              <Organization serial={user.organizationSerial} />
            </li>
            {user.manager && (
              <li>
                {userPageCopy.reportsTo} <ManagerName manager={user.manager} />
              </li>
            )}
          </Group>
        </div>
        <UserActions fresh={fresh} />
      </div>
    </header>
  );
}

function Leaving({ changes }: { changes: readonly UpcomingChange[] }) {
  const text = leavingText(changes);
  if (text === undefined) return null;
  return (
    <Badge color="yellow" variant="dot" size="lg" tt="none">
      {text}
    </Badge>
  );
}

function RoleName({ serial }: { serial: string }) {
  const { data } = useQuery(roleQuery(serial));
  return data?.role ? <li>{sessionCopy.role(data.role)}</li> : null;
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

type Action = 'status' | 'password' | 'role' | 'factors' | 'erase';

/** Frequent actions as buttons, rare ones in a menu, and none that is not permitted. */
function UserActions({ fresh }: { fresh: VersionedUser }) {
  const { isActive } = fresh.user;
  const mayWrite = usePermission('users:write');
  const mayAdminister = usePermission('access:admin');
  const [action, setAction] = useState<Action>();
  return (
    <div className={css.actions}>
      <Group gap="xs">
        {mayAdminister && (
          <Button variant="default" onClick={() => setAction('password')}>
            {userCopy.resetPassword.action}
          </Button>
        )}
        {mayWrite && (
          <Button variant="default" onClick={() => setAction('status')}>
            {isActive ? userCopy.deactivate.action : userCopy.reactivate.action}
          </Button>
        )}
        {mayAdminister && <RareActions fresh={fresh} onAction={setAction} />}
      </Group>
      <ActionDialog action={action} fresh={fresh} onClose={() => setAction(undefined)} />
    </div>
  );
}

interface RareActionsProps {
  readonly fresh: VersionedUser;
  readonly onAction: (action: Action) => void;
}

function RareActions({ fresh: { user }, onAction }: RareActionsProps) {
  const maySeeHistory = usePermission('audit:read');
  const exporting = useExportData(user);
  const copy = userCopy.personalData;
  return (
    <>
      <Menu position="bottom-end" width={220} returnFocus>
        <Menu.Target>
          <Button
            variant="default"
            aria-label={commonCopy.moreActions}
            px="sm"
            aria-busy={exporting.isPending}
          >
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAction('role')}>{userPageCopy.changeRole}</Menu.Item>
          <Menu.Item onClick={() => onAction('factors')}>{userCopy.resetFactors.action}</Menu.Item>
          <Menu.Item component={Link} href={`/activity/sessions?userSerial=${user.serial}`}>
            {sessionsCopy.all.open}
          </Menu.Item>
          {maySeeHistory && (
            <>
              <Menu.Divider />
              <Menu.Label>{copy.title}</Menu.Label>
              <Menu.Item onClick={() => exporting.mutate('report')}>{copy.report}</Menu.Item>
              <Menu.Item onClick={() => exporting.mutate('json')}>{copy.export}</Menu.Item>
              <Menu.Item c="var(--mantine-color-error)" onClick={() => onAction('erase')}>
                {copy.erase}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ActionProblem title={copy.exportFailed} error={exporting.error} />
    </>
  );
}

interface ActionDialogProps {
  readonly action: Action | undefined;
  readonly fresh: VersionedUser;
  readonly onClose: () => void;
}

function ActionDialog({ action, fresh, onClose }: ActionDialogProps) {
  const { user } = fresh;
  const { data: role } = useQuery(roleQuery(user.serial));
  switch (action) {
    case 'status':
      return user.isActive ? (
        <DeactivateDialog fresh={fresh} onClose={onClose} />
      ) : (
        <ReactivateDialog fresh={fresh} onClose={onClose} />
      );
    case 'password':
      return <ResetPasswordDialog user={user} onClose={onClose} />;
    case 'factors':
      return <ResetFactorsDialog user={user} onClose={onClose} />;
    case 'role':
      return role && <RoleDialog user={user} held={role.role} onClose={onClose} />;
    case 'erase':
      return <EraseDialog user={user} onClose={onClose} />;
    default:
      return null;
  }
}

/** Downloads everything that is stored about a user, which they can demand: to read, or for programs. */
function useExportData(user: User) {
  const { serial, employeeID } = user;
  return useMutation({
    mutationFn: async (format: 'report' | 'json') => {
      const { body } = await rollcall.call('getPersonalData', { path: { serial } });
      if (format === 'json') {
        const file = userCopy.personalData.file(employeeID);
        downloadJson(file, body.data);
        return file;
      }
      await Promise.all([loadOnDemandCopy(), loadAccountCopy()]);
      const { downloadReport } = await import('../../components/personal-report.js');
      return downloadReport(user, body.data);
    },
    onSuccess: (file) => notify(userCopy.personalData.saved(file)),
  });
}
