import {
  Alert,
  Anchor,
  Button,
  Center,
  Divider,
  Group,
  Loader,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useRoute } from 'wouter';
import { Problem } from '../components/problem.js';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { loadAccountCopy } from '../copy/load-copy.js';
import icon from '../icon.svg';
import { queryClient } from '../session/api.js';
import { leaveForProvider, openProviderWindow, useSignInMethods } from '../session/provider.js';
import { clearSession } from '../session/session.js';
import { signIn, signInWithPasskey } from '../session/sign-in.js';
import { LanguageLinks } from './language-links.js';
import { PasskeyButton } from './passkey-button.js';
import { PasswordField } from './password-field.js';
import { ProviderButton } from './provider-button.js';
import { StandalonePage } from './standalone-page.js';
import { usePasskeyAutofill } from './use-passkey-autofill.js';

const ApplicationName = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./application-name.js')).ApplicationName };
});
const ForgotPasswordForm = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./forgot-password-form.js')).ForgotPasswordForm };
});

interface SignInPageProps {
  /** Why the last attempt at the identity provider failed. */
  readonly problem?: string;
}

export function SignInPage({ problem }: SignInPageProps) {
  const [isForApplication, parameters] = useRoute('/sign-in/:id');
  const [isForgotten, setIsForgotten] = useState(false);
  const title = isForgotten ? sessionCopy.forgotPassword : sessionCopy.title;
  return (
    <StandalonePage title={title}>
      <Group gap="sm" mb="md" wrap="nowrap">
        <img src={icon} alt="" width={32} height={32} />
        <Title order={1} size="h3">
          {title}
        </Title>
      </Group>
      {isForApplication && (
        <Suspense>
          <ApplicationName id={parameters.id} />
        </Suspense>
      )}
      {problem !== undefined && (
        <Alert color="red" title={sessionCopy.notSignedIn} mb="md">
          {problem}
        </Alert>
      )}
      {window.isSecureContext ? (
        <SignInForm isForgotten={isForgotten} onForgotten={setIsForgotten} />
      ) : (
        <Insecure />
      )}
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
  readonly isForgotten?: boolean;
  readonly onForgotten?: (isForgotten: boolean) => void;
}

function leave(): void {
  clearSession();
  queryClient.clear();
}

/** About that of a name, a password and a button, in pixels: so the page hardly moves when they are there. */
const formHeight = 280;

/** All ways to sign in that the company offers. */
export function SignInForm(props: SignInFormProps) {
  const methods = useSignInMethods();
  const { isForgotten, onForgotten } = props;
  const [signInName, setSignInName] = useState(props.signInName ?? '');
  if (!methods) {
    return (
      <Center mih={formHeight}>
        <Loader aria-label={commonCopy.loading} />
      </Center>
    );
  }
  const { provider, password, recovery } = methods;
  if (isForgotten && onForgotten) {
    return (
      <Suspense fallback={<Loader aria-label={commonCopy.loading} />}>
        <ForgotPasswordForm signInName={signInName} onBack={() => onForgotten(false)} />
      </Suspense>
    );
  }
  const isDialog = props.signInName !== undefined;
  const start = () => {
    if (isDialog) return openProviderWindow('sign-in');
    leaveForProvider();
    return true;
  };
  const forget = recovery && onForgotten ? () => onForgotten(true) : undefined;
  return (
    <>
      {provider && props.hint && (
        <Text size="sm" mb="md">
          {props.hint}
        </Text>
      )}
      {provider && <ProviderButton name={provider.name} isFirst onContinue={start} />}
      {provider && password !== 'off' && (
        <Divider
          my="md"
          label={password === 'administrators' ? sessionCopy.orAdministrators : sessionCopy.or}
        />
      )}
      {password !== 'off' && (
        <PasswordForm
          {...(props.hint === undefined || provider ? {} : { hint: props.hint })}
          owner={props.signInName}
          name={signInName}
          onName={setSignInName}
          isSecond={provider !== null}
          onForgotten={forget}
        />
      )}
      {password === 'off' && isDialog && (
        <Button mt="md" variant="subtle" color="gray" fullWidth onClick={leave}>
          {sessionCopy.leave}
        </Button>
      )}
    </>
  );
}

interface PasswordFormProps {
  readonly hint?: string;
  readonly owner?: string | undefined;
  readonly name: string;
  readonly onName: (name: string) => void;
  /** There is another way, which most users take. */
  readonly isSecond: boolean;
  readonly onForgotten: (() => void) | undefined;
}

function PasswordForm({
  hint,
  owner,
  name: signInName,
  onName: setSignInName,
  isSecond,
  onForgotten,
}: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not left to the dialog, which may be open before the ways to sign in are known.
    if (!isSecond) (owner === undefined ? nameField : passwordField).current?.focus();
  }, [owner, isSecond]);
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
          isFirst={owner !== undefined && !isSecond}
        />
        {autofill.error !== undefined && <Problem title={sessionCopy.notSignedIn} error={autofill.error} />}
        {signingIn.error && <Problem title={sessionCopy.notSignedIn} error={signingIn.error} />}
        <Button type="submit" variant={isSecond ? 'default' : 'filled'} loading={signingIn.isPending}>
          {sessionCopy.signIn}
        </Button>
        <PasskeyButton onUse={signInWithPasskey} />
        {onForgotten ? (
          <Anchor component="button" type="button" size="sm" ta="center" onClick={onForgotten}>
            {sessionCopy.forgotPassword}
          </Anchor>
        ) : (
          <Text size="xs" c="dimmed" ta="center">
            {sessionCopy.forgotten}
          </Text>
        )}
        {owner !== undefined && (
          <Button variant="subtle" color="gray" onClick={leave}>
            {sessionCopy.leave}
          </Button>
        )}
      </Stack>
    </form>
  );
}
