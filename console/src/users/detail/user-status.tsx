import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/notify.js';
import { userCopy } from '../../copy/user.js';
import { useCurrentUser } from '../../session/session.js';
import { saveUser, updateCachedUser, userQuery, type VersionedUser } from '../data/user-queries.js';
import { Confirmation } from './confirmation.js';

export function UserStatus({ fresh, mayChange }: { fresh: VersionedUser; mayChange: boolean }) {
  const { user } = fresh;
  const me = useCurrentUser();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const copy = user.isActive ? userCopy.deactivate : userCopy.reactivate;
  const changing = useMutation({
    mutationFn: () => saveUser(fresh, { isActive: !user.isActive }),
    onSuccess: (saved) => {
      close();
      notify(copy.done(user.name));
      return updateCachedUser(queries, saved);
    },
    onError: (error) => {
      if (!isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) return;
      return queries.invalidateQueries({ queryKey: userQuery(user.serial).queryKey, exact: true });
    },
  });
  return (
    <>
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {user.isActive ? userCopy.isActive : userCopy.isInactive}
      </Text>
      {mayChange && (
        <Button
          variant="default"
          onClick={() => {
            changing.reset();
            open();
          }}
        >
          {copy.action}
        </Button>
      )}
      <Confirmation
        isOpen={isOpen}
        onClose={close}
        title={copy.title(user.name)}
        action={copy.action}
        onConfirm={() => changing.mutate()}
        isPending={changing.isPending}
        problem={copy.failed}
        error={changing.error}
        {...(user.isActive ? { color: 'red' } : {})}
      >
        <Text size="sm">{copy.hint}</Text>
        {user.isActive && user.serial === me.serial && <Text size="sm">{userCopy.deactivate.yourself}</Text>}
      </Confirmation>
    </>
  );
}
