import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { notify } from '../../components/notify.js';
import { userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import { Confirmation } from './confirmation.js';

export function ResetPassword({ user }: { user: User }) {
  const [isOpen, { open, close }] = useDisclosure();
  const copy = userCopy.resetPassword;
  const resetting = useMutation({
    mutationFn: () => rollcall.call('resetPassword', { path: { serial: user.serial } }),
    onSuccess: () => {
      close();
      notify(copy.done(user.name));
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
        {copy.action}
      </Button>
      <Confirmation
        isOpen={isOpen}
        onClose={close}
        title={copy.title(user.name)}
        action={copy.send}
        onConfirm={() => resetting.mutate()}
        isPending={resetting.isPending}
        problem={copy.failed}
        error={resetting.error}
      >
        <Text size="sm">{copy.hint}</Text>
        <Text size="sm">{userCopy.messageGoesTo(user.email, user.phone)}</Text>
        {!user.isActive && <Text size="sm">{copy.whenActive}</Text>}
        {user.username === null && <Text size="sm">{copy.noUsername}</Text>}
      </Confirmation>
    </>
  );
}
