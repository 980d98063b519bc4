import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '../components/error-message.js';
import { Problem } from '../components/problem.js';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { acceptProof, prove, refuseProof } from '../session/proof.js';
import { openProviderWindow, useSignInMethods, whenProvenElsewhere } from '../session/provider.js';
import { useCurrentUser } from '../session/session.js';
import { PasskeyButton } from './passkey-button.js';
import { PasswordField } from './password-field.js';
import { ProviderButton } from './provider-button.js';

/** Above the dialogs of the page, whose input stays. */
const aboveAll = 1_000;

/** Asks for the password before something sensitive, if the last proof is old. */
export function ProveDialog() {
  const { method } = useCurrentUser();
  return (
    <Modal opened onClose={refuseProof} title={sessionCopy.proveTitle} zIndex={aboveAll}>
      {method === 'provider' ? <ProveWithProvider /> : <ProveForm />}
    </Modal>
  );
}

/** In another window, so that nothing is lost here. */
function ProveWithProvider() {
  const methods = useSignInMethods();
  useEffect(() => whenProvenElsewhere(acceptProof), []);
  return (
    <Stack>
      <Text size="sm">{sessionCopy.proveWithProviderHint}</Text>
      <ProviderButton
        name={methods?.provider?.name ?? null}
        isFirst
        onContinue={() => openProviderWindow('proof')}
      />
      <Button variant="default" onClick={refuseProof}>
        {commonCopy.cancel}
      </Button>
    </Stack>
  );
}

function ProveForm() {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (needsCode) codeField.current?.focus();
  }, [needsCode]);
  const proving = useMutation({
    mutationFn: () => prove(needsCode ? { password, code } : { password }),
    onError: (error) => {
      if (isRollcallError(error, 'ACCESS_FACTOR_REQUIRED')) setNeedsCode(true);
      else if (isRollcallError(error, 'ACCESS_FACTOR_CODE_WRONG')) codeField.current?.select();
      else field.current?.select();
    },
  });
  const isWrong = isRollcallError(proving.error, 'ACCESS_PASSWORD_WRONG');
  const isCodeWrong = isRollcallError(proving.error, 'ACCESS_FACTOR_CODE_WRONG');
  const isAsked = isRollcallError(proving.error, 'ACCESS_FACTOR_REQUIRED');
  const isExplained = isWrong || isCodeWrong || isAsked;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // the dialog may have been opened by a form of the page
    proving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{sessionCopy.proveHint}</Text>
        <PasswordField
          ref={field}
          label={sessionCopy.password}
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={isWrong && sessionCopy.currentWrong}
          isFirst
        />
        {needsCode && (
          <TextInput
            ref={codeField}
            label={sessionCopy.proveCode}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={isCodeWrong && describeError(proving.error)}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
          />
        )}
        {proving.error && !isExplained && <Problem title={sessionCopy.notProven} error={proving.error} />}
        <PasskeyButton onUse={(passkey) => prove({ passkey })} />
        <Group justify="flex-end">
          <Button variant="default" onClick={refuseProof}>
            {commonCopy.cancel}
          </Button>
          <Button type="submit" loading={proving.isPending}>
            {sessionCopy.prove}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
