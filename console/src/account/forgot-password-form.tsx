import { Button, Stack, Text, TextInput } from '@mantine/core';
import { createClient } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Problem } from '../components/problem.js';
import { passwordLinkCopy as copy } from '../copy/account-copy.js';
import { sessionCopy } from '../copy/copy.js';

const client = createClient({ baseUrl: '' });

interface ForgotPasswordFormProps {
  readonly signInName: string;
  readonly onBack: () => void;
}

/** Requests a link to a new password. The page says the same, whether or not there is such a user. */
export function ForgotPasswordForm({ signInName, onBack }: ForgotPasswordFormProps) {
  const [name, setName] = useState(signInName);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const requesting = useMutation({
    mutationFn: () => client.call('forgotPassword', { body: { username: name.trim() } }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    requesting.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{copy.forgotHint}</Text>
        <TextInput
          ref={field}
          label={sessionCopy.signInName}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          withAsterisk={false}
        />
        {requesting.error && <Problem title={copy.linkNotSent} error={requesting.error} />}
        {requesting.isSuccess ? (
          <Text size="sm" role="status">
            {copy.linkSent}
          </Text>
        ) : (
          <Button type="submit" loading={requesting.isPending}>
            {copy.sendLink}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={onBack}>
          {copy.backToSignIn}
        </Button>
      </Stack>
    </form>
  );
}
