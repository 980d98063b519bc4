import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Problem } from '../components/problem.js';
import { commonCopy, sessionCopy } from '../copy/copy.js';
import { acceptProof, prove, refuseProof } from '../session/proof.js';
import { openProviderWindow, useSignInMethods, whenProvenElsewhere } from '../session/provider.js';
import { useCurrentUser } from '../session/session.js';
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
  const field = useRef<HTMLInputElement>(null);
  const proving = useMutation({
    mutationFn: () => prove(password),
    onError: () => field.current?.select(),
  });
  const isWrong = isRollcallError(proving.error, 'ACCESS_PASSWORD_WRONG');
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
        {proving.error && !isWrong && <Problem title={sessionCopy.notProven} error={proving.error} />}
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
