import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { notice } from '../../components/notify.js';
import { texts } from '../../copy/index.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { Confirmation } from './confirmation.js';

export function ResetPassword({ user }: { user: User }) {
  const [isOpen, { open, close }] = useDisclosure();
  const words = texts.person.resetPassword;
  const resetting = useMutation({
    mutationFn: () => rollcall.call('resetPassword', { path: { serial: user.serial } }),
    onSuccess: () => {
      close();
      notice(words.done(user.name));
    },
  });
  return (
    <>
      <Button
        variant="default"
        mt="sm"
        onClick={() => {
          resetting.reset();
          open();
        }}
      >
        {words.action}
      </Button>
      <Confirmation
        isOpen={isOpen}
        onClose={close}
        title={words.title(user.name)}
        action={words.send}
        onConfirm={() => resetting.mutate()}
        isPending={resetting.isPending}
        problem={words.failed}
        error={resetting.error}
      >
        <Text size="sm">{words.hint}</Text>
        <Text size="sm">{texts.person.messageGoesTo(user.email, user.phone)}</Text>
        {!user.isActive && <Text size="sm">{words.whenActive}</Text>}
        {user.username === null && <Text size="sm">{words.noUsername}</Text>}
      </Confirmation>
    </>
  );
}
