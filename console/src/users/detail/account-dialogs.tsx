import { List, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { commonCopy, sessionCopy, userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { historyKey, type Role, roleQuery, userQuery, usersKey } from '../data/user-queries.js';
import { usersListPath } from '../list/scroll-memory.js';
import { ReportsNote } from './reports-note.js';

const copy = userCopy.resetPassword;

export function ResetPasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const queries = useQueryClient();
  const reset = async () => {
    await rollcall.call('resetPassword', { path: { serial: user.serial } });
    notify(copy.done(user.name));
    await queries.invalidateQueries({ queryKey: historyKey(user.serial) });
  };
  return (
    <ConfirmDialog
      title={copy.title(user.name)}
      confirm={copy.send}
      failed={copy.failed}
      action={reset}
      onClose={onClose}
    >
      <Stack gap="sm">
        <span>{copy.hint}</span>
        <span>{userCopy.messageGoesTo(user.email, user.phone)}</span>
        {!user.isActive && <span>{copy.whenActive}</span>}
        {user.username === null && <span>{copy.noUsername}</span>}
      </Stack>
    </ConfirmDialog>
  );
}

const factors = userCopy.resetFactors;

export function ResetFactorsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const queries = useQueryClient();
  const reset = async () => {
    const { body } = await rollcall.call('resetFactors', { path: { serial: user.serial } });
    notify(body.data.removed === 0 ? factors.none(user.name) : factors.done(user.name));
    await queries.invalidateQueries({ queryKey: historyKey(user.serial) });
  };
  return (
    <ConfirmDialog
      title={factors.title(user.name)}
      confirm={factors.confirm}
      failed={factors.failed}
      action={reset}
      onClose={onClose}
    >
      {factors.hint}
    </ConfirmDialog>
  );
}

const rolesCopy = userCopy.roles;
const choices = ['none', 'viewer', 'operator', 'administrator'] as const;
type Choice = (typeof choices)[number];

interface RoleDialogProps {
  readonly user: User;
  readonly held: Role;
  readonly onClose: () => void;
}

export function RoleDialog({ user, held, onClose }: RoleDialogProps) {
  const [chosen, setChosen] = useState<Choice>(held ?? 'none');
  const setRole = useSetRole(user);
  return (
    <ConfirmDialog
      title={rolesCopy.title(user.name)}
      confirm={commonCopy.save}
      failed={rolesCopy.failed}
      action={() => setRole(chosen === 'none' ? null : chosen)}
      onClose={onClose}
    >
      <Radio.Group label={rolesCopy.label} value={chosen} onChange={(value) => setChosen(value as Choice)}>
        <Stack gap="sm" mt="xs" mb="sm">
          {choices.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={sessionCopy.role(choice)}
              description={rolesCopy.means[choice]}
            />
          ))}
        </Stack>
      </Radio.Group>
      {rolesCopy.hint}
    </ConfirmDialog>
  );
}

function useSetRole({ serial, name }: User): (role: Role) => Promise<void> {
  const queries = useQueryClient();
  return async (role) => {
    const { body } = await rollcall.call('setRole', { path: { serial }, body: { role } });
    queries.setQueryData(roleQuery(serial).queryKey, body.data);
    notify(rolesCopy.done(name, sessionCopy.role(body.data.role)));
    // The role is part of the history, and the user has a new version.
    await queries.invalidateQueries({ queryKey: userQuery(serial).queryKey });
  };
}

const personalDataCopy = userCopy.personalData;

export function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = async () => {
    await rollcall.call('eraseUser', { path: { serial: user.serial } });
    notify(personalDataCopy.erased(user.employeeID));
    navigate(usersListPath());
    queries.removeQueries({ queryKey: userQuery(user.serial).queryKey });
    await queries.invalidateQueries({ queryKey: usersKey });
  };
  return (
    <ConfirmDialog
      title={personalDataCopy.eraseTitle(user.name)}
      confirm={personalDataCopy.confirm}
      isDangerous
      isReady={typed.trim() === user.employeeID}
      failed={personalDataCopy.eraseFailed}
      action={erase}
      onClose={onClose}
    >
      <List size="sm" spacing={4}>
        {personalDataCopy.consequences.map(({ what, text }) => (
          <List.Item key={what}>
            <b>{what}:</b> {text}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs" mb="sm">
        {personalDataCopy.alternative}
      </Text>
      <ReportsNote user={user} />
      <TextInput
        mt="sm"
        data-autofocus
        label={personalDataCopy.typeId(user.employeeID)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
    </ConfirmDialog>
  );
}
