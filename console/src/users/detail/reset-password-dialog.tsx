import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { historyKey } from '../data/user-queries.js';

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
