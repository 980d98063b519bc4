import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { userQuery, usersKey } from '../data/user-queries.js';
import { usersListPath } from '../list/scroll-memory.js';

const copy = userCopy.personalData;

export function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = async () => {
    await rollcall.call('eraseUser', { path: { serial: user.serial } });
    notify(copy.erased(user.employeeID));
    navigate(usersListPath());
    queries.removeQueries({ queryKey: userQuery(user.serial).queryKey });
    await queries.invalidateQueries({ queryKey: usersKey });
  };
  return (
    <ConfirmDialog
      title={copy.eraseTitle(user.name)}
      confirm={copy.confirm}
      isDangerous
      isReady={typed.trim() === user.employeeID}
      failed={copy.eraseFailed}
      action={erase}
      onClose={onClose}
    >
      <Text size="sm">{copy.consequences}</Text>
      <Text size="sm" mt="xs" mb="sm">
        {copy.alternative}
      </Text>
      <TextInput
        label={copy.typeId(user.employeeID)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
    </ConfirmDialog>
  );
}
