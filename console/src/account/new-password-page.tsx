import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { createClient, isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '../components/error-message.js';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/copy.js';
import { clearSession } from '../session/session.js';
import { PasswordField } from './password-field.js';
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
  const [chosen, setChosen] = useState('');
  const [again, setAgain] = useState('');
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const changing = useMutation({
    mutationFn: () => client.call('resetPasswordWithLink', { body: { token, newPassword: chosen } }),
    onSuccess: onDone,
  });
  const { error } = changing;
  const differs = wasSubmitted ? again !== chosen : !chosen.startsWith(again);
  const isRefused = isRollcallError(error, 'ACCESS_PASSWORD_REFUSED');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasSubmitted(true);
    if (again === chosen) changing.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordField
          ref={field}
          label={sessionCopy.newPassword}
          description={sessionCopy.newPasswordHint}
          autoComplete="new-password"
          value={chosen}
          onChange={(value) => {
            setChosen(value);
            changing.reset();
          }}
          error={isRefused && describeError(error)}
        />
        <PasswordField
          label={sessionCopy.newPasswordAgain}
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
          error={differs && sessionCopy.passwordsDiffer}
        />
        {error && !isRefused && <Problem title={sessionCopy.notChanged} error={error} />}
        <Button type="submit" loading={changing.isPending}>
          {sessionCopy.changePassword}
        </Button>
        <Anchor href="/" ta="center" size="sm">
          {sessionCopy.backToSignIn}
        </Anchor>
      </Stack>
    </form>
  );
}
