import { Radio, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { commonCopy, sessionCopy, userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { type Role, roleQuery, userQuery } from '../data/user-queries.js';

const copy = userCopy.roles;
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
      title={copy.title(user.name)}
      confirm={commonCopy.save}
      failed={copy.failed}
      action={() => setRole(chosen === 'none' ? null : chosen)}
      onClose={onClose}
    >
      <Radio.Group label={copy.label} value={chosen} onChange={(value) => setChosen(value as Choice)}>
        <Stack gap="sm" mt="xs" mb="sm">
          {choices.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={sessionCopy.role(choice)}
              description={copy.means[choice]}
            />
          ))}
        </Stack>
      </Radio.Group>
      {copy.hint}
    </ConfirmDialog>
  );
}

function useSetRole({ serial, name }: User): (role: Role) => Promise<void> {
  const queries = useQueryClient();
  return async (role) => {
    const { body } = await rollcall.call('setRole', { path: { serial }, body: { role } });
    queries.setQueryData(roleQuery(serial).queryKey, body.data);
    notify(copy.done(name, sessionCopy.role(body.data.role)));
    // The role is part of the history, and the user has a new version.
    await queries.invalidateQueries({ queryKey: userQuery(serial).queryKey });
  };
}
