import { Anchor, Button, Loader, Stack, Text, Title } from '@mantine/core';
import { createClient, isRollcallError } from '@rollcall/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Problem } from '../components/problem.js';
import { passwordLinkCopy as copy } from '../copy/account-copy.js';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { useSignInMethods } from '../session/provider.js';
import { clearSession } from '../session/session.js';
import { ForgotPasswordForm } from './forgot-password-form.js';
import { NewPasswordFields, useNewPassword } from './new-password-fields.js';
import { StandalonePage } from './standalone-page.js';

const client = createClient({ baseUrl: '' });

/** Taken out of the address at once, so that it is neither seen nor kept in the history. */
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
// Another link, opened in this tab.
addEventListener('hashchange', () => location.reload());

const isInvalid = (error: unknown) => isRollcallError(error, 'ACCESS_PASSWORD_LINK_INVALID');

/** A value rather than an error, which would be asked for again while somebody types. */
async function isUsable(signal: AbortSignal): Promise<boolean> {
  try {
    await client.call('checkPasswordLink', { body: { token }, signal });
    return true;
  } catch (error) {
    if (isInvalid(error)) return false;
    throw error;
  }
}

/** Opened with the link in a message. */
export function NewPasswordPage() {
  const [isDone, setIsDone] = useState(false);
  const [isUsedMeanwhile, setIsUsedMeanwhile] = useState(false);
  const check = useQuery({
    queryKey: ['password-link'],
    queryFn: ({ signal }) => isUsable(signal),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  const isInvalidNow = token === '' || isUsedMeanwhile || check.data === false;
  if (isInvalidNow && !isDone) return <LinkInvalid />;
  const done = () => {
    clearSession(); // the service has ended all
    setIsDone(true);
  };
  return (
    <StandalonePage title={sessionCopy.mustChangeTitle}>
      <Title order={1} size="h3" mb="md">
        {sessionCopy.mustChangeTitle}
      </Title>
      {isDone ? (
        <Done />
      ) : check.isPending ? (
        <Loader aria-label={commonCopy.loading} />
      ) : (
        <NewPasswordForm onDone={done} onInvalid={() => setIsUsedMeanwhile(true)} />
      )}
    </StandalonePage>
  );
}

/** Also shown after a reload, because the token is no longer in the address. */
function LinkInvalid() {
  const [, navigate] = useLocation();
  const methods = useSignInMethods();
  const { title, hint } = token === '' ? copy.missing : copy.invalid;
  const signIn = () => navigate('/');
  return (
    <StandalonePage title={title}>
      <Title order={1} size="h3" mb="xs">
        {title}
      </Title>
      <Text size="sm" mb="md" role="alert">
        {hint}
      </Text>
      {!methods && <Loader aria-label={commonCopy.loading} />}
      {methods?.recovery && <ForgotPasswordForm signInName="" onBack={signIn} />}
      {methods && !methods.recovery && (
        <Stack>
          <Text size="sm">{copy.askForLink}</Text>
          <Button onClick={signIn}>{copy.goToSignIn}</Button>
        </Stack>
      )}
    </StandalonePage>
  );
}

function Done() {
  const button = useRef<HTMLAnchorElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Stack>
      <Text role="status">{copy.passwordRecovered}</Text>
      <Button component="a" href="/" ref={button}>
        {copy.goToSignIn}
      </Button>
    </Stack>
  );
}

interface NewPasswordFormProps {
  readonly onDone: () => void;
  /** The link was used or has expired since it was checked. */
  readonly onInvalid: () => void;
}

function NewPasswordForm({ onDone, onInvalid }: NewPasswordFormProps) {
  const password = useNewPassword();
  useEffect(() => password.field.current?.focus(), [password.field]);
  const changing = useMutation({
    mutationFn: () => client.call('resetPasswordWithLink', { body: { token, newPassword: password.chosen } }),
    onError: (error) => (isInvalid(error) ? onInvalid() : password.afterError(error)),
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
          {copy.backToSignIn}
        </Anchor>
      </Stack>
    </form>
  );
}
