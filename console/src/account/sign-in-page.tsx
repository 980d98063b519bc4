import { Alert, Button, Center, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useRoute } from 'wouter';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/copy.js';
import { loadAccountCopy } from '../copy/load-copy.js';
import icon from '../icon.svg';
import { queryClient } from '../session/api.js';
import { clearSession } from '../session/session.js';
import { signIn, signInWithPasskey } from '../session/sign-in.js';
import { LanguageLinks } from './language-choice.js';
import { PasskeyButton } from './passkey-button.js';
import { PasswordField } from './password-field.js';
import { usePasskeyAutofill } from './use-passkey-autofill.js';

const ApplicationName = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./application-name.js')).ApplicationName };
});

export function SignInPage() {
  const [isForApplication, parameters] = useRoute('/sign-in/:id');
  return (
    <StandalonePage title={sessionCopy.title}>
      <Group gap="sm" mb="md" wrap="nowrap">
        <img src={icon} alt="" width={32} height={32} />
        <Title order={1} size="h3">
          {sessionCopy.title}
        </Title>
      </Group>
      {isForApplication && (
        <Suspense>
          <ApplicationName id={parameters.id} />
        </Suspense>
      )}
      {window.isSecureContext ? <SignInForm /> : <Insecure />}
      <LanguageLinks />
    </StandalonePage>
  );
}

/** Browsers keep the cookie of a session only over HTTPS, or on this machine. */
function Insecure() {
  return (
    <Alert color="orange" title={sessionCopy.insecureTitle}>
      {sessionCopy.insecureHint}
    </Alert>
  );
}

interface SignInFormProps {
  readonly hint?: string;
  /** The user whose session expired; no one else may continue it. */
  readonly signInName?: string;
}

function leave(): void {
  clearSession();
  queryClient.clear();
}

export function SignInForm({ hint, signInName: owner }: SignInFormProps) {
  const [signInName, setSignInName] = useState(owner ?? '');
  const [password, setPassword] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (owner === undefined) nameField.current?.focus(); // dialogs set the focus themselves
  }, [owner]);
  const signingIn = useMutation({
    mutationFn: () => signIn(signInName.trim(), password), // pasted names bring white space
    onError: () => passwordField.current?.select(),
  });
  const autofill = usePasskeyAutofill();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signingIn.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {hint && <Text size="sm">{hint}</Text>}
        <TextInput
          ref={nameField}
          label={sessionCopy.signInName}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          value={signInName}
          readOnly={owner !== undefined}
          onChange={(event) => setSignInName(event.currentTarget.value)}
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
        {autofill.error !== undefined && <Problem title={sessionCopy.notSignedIn} error={autofill.error} />}
        {signingIn.error && <Problem title={sessionCopy.notSignedIn} error={signingIn.error} />}
        <Button type="submit" loading={signingIn.isPending}>
          {sessionCopy.signIn}
        </Button>
        <PasskeyButton onUse={signInWithPasskey} />
        <Text size="xs" c="dimmed" ta="center">
          {sessionCopy.forgotten}
        </Text>
        {owner !== undefined && (
          <Button variant="subtle" color="gray" onClick={leave}>
            {sessionCopy.leave}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** A page without navigation. */
export function StandalonePage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Rollcall`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        {children}
      </Paper>
    </Center>
  );
}
