import { Button, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notice } from '../../components/notify.js';
import { Problem } from '../../components/problem.js';
import { texts } from '../../copy/index.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { personQuery, type Role, roleQuery } from '../data/user-queries.js';
import { Confirmation } from './confirmation.js';

const choices = ['none', 'viewer', 'operator', 'administrator'] as const;
type Choice = (typeof choices)[number];

export function PersonRole({ user, mayChange }: { user: User; mayChange: boolean }) {
  const role = useQuery(roleQuery(user.serial));
  const [isOpen, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState<Choice>('none');
  const words = texts.person.roles;
  const setting = useSetRole(user, close);
  if (role.isError) {
    return <Problem title={words.notLoaded} error={role.error} onRetry={() => void role.refetch()} />;
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
        {words.label}: <b>{texts.session.role(held)}</b>
      </Text>
      <Text size="sm" c="dimmed" mb="sm">
        {words.means[held ?? 'none']}
      </Text>
      {formerRole !== null && (
        <Text size="sm" mb="sm">
          {words.former(texts.session.role(formerRole))}
        </Text>
      )}
      {mayChange && (
        <Button variant="default" onClick={choose}>
          {words.change}
        </Button>
      )}
      <Confirmation
        isOpen={isOpen}
        onClose={close}
        title={words.title(user.name)}
        action={texts.common.save}
        onConfirm={() => setting.mutate(chosen === 'none' ? null : chosen)}
        isPending={setting.isPending}
        problem={words.failed}
        error={setting.error}
      >
        <Choices chosen={chosen} onChosen={setChosen} />
        <Text size="sm">{words.hint}</Text>
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
      const name = texts.session.role(body.data.role);
      notice(texts.person.roles.done(user.name, name));
      // The role is in the history, and the person has a new version.
      return queries.invalidateQueries({ queryKey: personQuery(user.serial).queryKey });
    },
  });
}

function Choices({ chosen, onChosen }: { chosen: Choice; onChosen: (choice: Choice) => void }) {
  return (
    <Radio.Group
      label={texts.person.roles.label}
      value={chosen}
      onChange={(value) => onChosen(value as Choice)}
    >
      <Stack gap="sm" mt="xs">
        {choices.map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={texts.session.role(choice)}
            description={texts.person.roles.means[choice]}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
