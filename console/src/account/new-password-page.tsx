import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { createClient, isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/copy.js';
import { clearSession } from '../session/session.js';
import { NewPasswordFields, useNewPassword } from './new-password-fields.js';
import { StandalonePage } from './standalone-page.js';

const client = createClient({ baseUrl: '' });

/** Taken out of the address at once, so that it is neither seen nor kept in the history. */
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);

/** Opened with the link in a message. */
export function NewPasswordPage() {
  const [isDone, setIsDone] = useState(false);
  const done = () => {
    clearSession(); // the service has ended all
    setIsDone(true);
  };
  return (
    <StandalonePage title={sessionCopy.mustChangeTitle}>
      <Title order={1} size="h3" mb="md">
        {sessionCopy.mustChangeTitle}
      </Title>
      {isDone ? <Done /> : <NewPasswordForm onDone={done} />}
    </StandalonePage>
  );
}

function Done() {
  const button = useRef<HTMLAnchorElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Stack>
      <Text role="status">{sessionCopy.passwordRecovered}</Text>
      <Button component="a" href="/" ref={button}>
        {sessionCopy.goToSignIn}
      </Button>
    </Stack>
  );
}

function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const password = useNewPassword();
  useEffect(() => password.field.current?.focus(), [password.field]);
  const changing = useMutation({
    mutationFn: () => client.call('resetPasswordWithLink', { body: { token, newPassword: password.chosen } }),
    onError: password.afterError,
    onSuccess: onDone,
  });
  const { error } = changing;
  return (
    <form onSubmit={(event) => password.submit(event, changing.mutate)}>
      <Stack>
        <NewPasswordFields password={password} error={error} onEdit={changing.reset} />
        {error !== null && !isRollcallError(error, 'ACCESS_PASSWORD_REFUSED') && (
          <Problem title={sessionCopy.notChanged} error={error} />
        )}
        <Button type="submit" loading={changing.isPending}>
          {sessionCopy.setPassword}
        </Button>
        <Anchor href="/" ta="center" size="sm">
          {sessionCopy.backToSignIn}
        </Anchor>
      </Stack>
    </form>
  );
}
