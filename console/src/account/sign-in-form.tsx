import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/session.js';
import { queryClient } from '../session/api.js';
import { clearSession } from '../session/session.js';
import { signIn } from '../session/sign-in.js';
import { PasswordField } from './password-field.js';

interface SignInFormProps {
  readonly hint?: string;
  /** The user whose session expired; no one else may continue it. */
  readonly username?: string;
}

function leave(): void {
  clearSession();
  queryClient.clear();
}

export function SignInForm({ hint, username: owner }: SignInFormProps) {
  const [username, setUsername] = useState(owner ?? '');
  const [password, setPassword] = useState('');
  const usernameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (owner === undefined) usernameField.current?.focus(); // dialogs set the focus themselves
  }, [owner]);
  const signingIn = useMutation({
    mutationFn: () => signIn(username, password),
    onError: () => passwordField.current?.select(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signingIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {hint && <Text size="sm">{hint}</Text>}
        <TextInput
          ref={usernameField}
          label={sessionCopy.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          readOnly={owner !== undefined}
          onChange={(event) => setUsername(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        <PasswordField
          ref={passwordField}
          label={sessionCopy.password}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          isFirst={owner !== undefined}
        />
        {signingIn.error && <Problem title={sessionCopy.notSignedIn} error={signingIn.error} />}
        <Button type="submit" loading={signingIn.isPending}>
          {sessionCopy.signIn}
        </Button>
        {owner !== undefined && (
          <Button variant="subtle" color="gray" onClick={leave}>
            {sessionCopy.leave}
          </Button>
        )}
      </Stack>
    </form>
  );
}
