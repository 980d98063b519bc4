import { Button, Group, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionProblem } from '../../components/problem.js';
import { userCopy, userPageCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import { roleQuery, type VersionedUser } from '../data/user-queries.js';
import { DeactivateDialog } from './deactivate-dialog.js';
import { EraseDialog } from './erase-dialog.js';
import { ReactivateDialog } from './reactivate-dialog.js';
import { ResetPasswordDialog } from './reset-password-dialog.js';
import { RoleDialog } from './role-dialog.js';
import { useExportData } from './use-export-data.js';
import css from './user-page.module.css';

type Action = 'status' | 'password' | 'role' | 'erase';

/** Frequent actions as buttons, rare ones in a menu, and none that is not permitted. */
export function UserActions({ fresh }: { fresh: VersionedUser }) {
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
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" aria-label={userPageCopy.more} px="sm" loading={exporting.isPending}>
            ⋯
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAction('role')}>{userPageCopy.changeRole}</Menu.Item>
          {maySeeHistory && (
            <>
              <Menu.Divider />
              <Menu.Label>{copy.title}</Menu.Label>
              <Menu.Item onClick={() => exporting.mutate()}>{copy.export}</Menu.Item>
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
    case 'role':
      return role && <RoleDialog user={user} held={role.role} onClose={onClose} />;
    case 'erase':
      return <EraseDialog user={user} onClose={onClose} />;
    default:
      return null;
  }
}
