import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notice } from '../../components/notify.js';
import { texts } from '../../copy/index.js';
import { useMe } from '../../session/session.js';
import { personQuery, savePerson, tellSaved, type Versioned } from '../data/user-queries.js';
import { Confirmation } from './confirmation.js';

export function PersonStatus({ fresh, mayChange }: { fresh: Versioned; mayChange: boolean }) {
  const { user } = fresh;
  const me = useMe();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const words = user.isActive ? texts.person.deactivate : texts.person.reactivate;
  const changing = useMutation({
    mutationFn: () => savePerson(fresh, { isActive: !user.isActive }),
    onSuccess: (saved) => {
      close();
      notice(words.done(user.name));
      return tellSaved(queries, saved);
    },
    onError: (error) => {
      if (!isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) return;
      return queries.invalidateQueries({ queryKey: personQuery(user.serial).queryKey, exact: true });
    },
  });
  return (
    <>
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {user.isActive ? texts.person.isActive : texts.person.isInactive}
      </Text>
      {mayChange && (
        <Button
          variant="default"
          onClick={() => {
            changing.reset();
            open();
          }}
        >
          {words.action}
        </Button>
      )}
      <Confirmation
        isOpen={isOpen}
        onClose={close}
        title={words.title(user.name)}
        action={words.action}
        onConfirm={() => changing.mutate()}
        isPending={changing.isPending}
        problem={words.failed}
        error={changing.error}
        {...(user.isActive ? { color: 'red' } : {})}
      >
        <Text size="sm">{words.hint}</Text>
        {user.isActive && user.serial === me.serial && (
          <Text size="sm">{texts.person.deactivate.yourself}</Text>
        )}
      </Confirmation>
    </>
  );
}
