import { Button, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '../components/error-message.js';
import { Problem } from '../components/problem.js';
import { factorsCopy as copy } from '../copy/account-copy.js';
import { sessionCopy } from '../copy/copy.js';
import { giveCode, signInWithPasskey, signOut } from '../session/sign-in.js';
import { PasskeyButton } from './passkey-button.js';

/** What a sign-in with a password asks for if the user has a second factor. */
export function SecondStep() {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <Stack>
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} />
      <PasskeyButton onUse={signInWithPasskey} />
      <Button variant="subtle" onClick={() => setIsRecovery(!isRecovery)}>
        {isRecovery ? copy.useApp : copy.useRecoveryCode}
      </Button>
      <Text size="xs" c="dimmed" ta="center">
        {copy.lost}
      </Text>
      <Button variant="subtle" color="gray" onClick={() => void signOut()}>
        {sessionCopy.signOut}
      </Button>
    </Stack>
  );
}

function CodeForm({ isRecovery }: { isRecovery: boolean }) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []); // the field that had the focus is gone
  const giving = useMutation({ mutationFn: () => giveCode(code), onError: () => field.current?.select() });
  const isWrong = isRollcallError(giving.error, 'ACCESS_FACTOR_CODE_WRONG');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    giving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{isRecovery ? copy.recoveryHint : copy.stepHint}</Text>
        <TextInput
          ref={field}
          label={isRecovery ? copy.recoveryCode : copy.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isWrong && describeError(giving.error)}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          required
          withAsterisk={false}
        />
        {giving.error && !isWrong && <Problem title={sessionCopy.notSignedIn} error={giving.error} />}
        <Button type="submit" loading={giving.isPending}>
          {copy.continue}
        </Button>
      </Stack>
    </form>
  );
}
