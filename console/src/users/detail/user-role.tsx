import { Button, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../components/notify.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, sessionCopy, userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { type Role, roleQuery, userQuery } from '../data/user-queries.js';
import { Confirmation } from './confirmation.js';

const choices = ['none', 'viewer', 'operator', 'administrator'] as const;
type Choice = (typeof choices)[number];

export function UserRole({ user, mayChange }: { user: User; mayChange: boolean }) {
  const role = useQuery(roleQuery(user.serial));
  const [isOpen, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState<Choice>('none');
  const copy = userCopy.roles;
  const setting = useSetRole(user, close);
  if (role.isError) {
    return <Problem title={copy.notLoaded} error={role.error} onRetry={() => void role.refetch()} />;
  }
  if (role.data === undefined) return <Skeleton height={40} />;
  const { role: held, formerRole } = role.data;
  const choose = () => {
    setChosen(held ?? 'none');
    setting.reset();
    open();
  };
  return (
    <>
      <Text size="sm">
        {copy.label}: <b>{sessionCopy.role(held)}</b>
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {copy.means[held ?? 'none']}
      </Text>
      {formerRole !== null && (
        <Text size="sm" mb="sm">
          {copy.former(sessionCopy.role(formerRole))}
        </Text>
      )}
      {mayChange && (
        <Button variant="default" onClick={choose}>
          {copy.change}
        </Button>
      )}
      <Confirmation
        isOpen={isOpen}
        onClose={close}
        title={copy.title(user.name)}
        action={commonCopy.save}
        onConfirm={() => setting.mutate(chosen === 'none' ? null : chosen)}
        isPending={setting.isPending}
        problem={copy.failed}
        error={setting.error}
      >
        <Choices chosen={chosen} onChosen={setChosen} />
        <Text size="sm">{copy.hint}</Text>
      </Confirmation>
    </>
  );
}

function useSetRole(user: User, onSet: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (role: Role) => rollcall.call('setRole', { path: { serial: user.serial }, body: { role } }),
    onSuccess: ({ body }) => {
      onSet();
      queries.setQueryData(roleQuery(user.serial).queryKey, body.data);
      const name = sessionCopy.role(body.data.role);
      notify(userCopy.roles.done(user.name, name));
      // The role is part of the history, and the user has a new version.
      return queries.invalidateQueries({ queryKey: userQuery(user.serial).queryKey });
    },
  });
}

function Choices({ chosen, onChosen }: { chosen: Choice; onChosen: (choice: Choice) => void }) {
  return (
    <Radio.Group label={userCopy.roles.label} value={chosen} onChange={(value) => onChosen(value as Choice)}>
      <Stack gap="sm" mt="xs">
        {choices.map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={sessionCopy.role(choice)}
            description={userCopy.roles.means[choice]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
