import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/copy.js';
import {
  askForPasskey,
  isPasskeyCancelled,
  type PasskeyAssertion,
  supportsPasskeys,
} from '../session/passkeys.js';

/** Asks for a passkey in place of what the form asks for. */
export function PasskeyButton({ onUse }: { onUse: (passkey: PasskeyAssertion) => Promise<void> }) {
  const using = useMutation({ mutationFn: async () => onUse(await askForPasskey()) });
  if (!supportsPasskeys()) return null;
  return (
    <>
      <Button variant="default" loading={using.isPending} onClick={() => using.mutate()}>
        {sessionCopy.usePasskey}
      </Button>
      {using.error && !isPasskeyCancelled(using.error) && (
        <Problem title={sessionCopy.passkeyFailed} error={using.error} />
      )}
    </>
  );
}
