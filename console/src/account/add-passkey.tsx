import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Problem } from '../components/problem.js';
import { factorsCopy as copy } from '../copy/account-copy.js';
import { rollcall } from '../session/api.js';
import { createPasskey, isPasskeyCancelled, supportsPasskeys } from '../session/passkeys.js';
import type { NewCodes } from './add-app.js';

export function AddPasskey({ onAdded }: { onAdded: (codes: NewCodes) => void }) {
  const adding = useMutation({
    mutationFn: async () => {
      const started = await rollcall.call('startPasskey', {});
      const passkey = await createPasskey(started.body.data.options);
      return (await rollcall.call('addPasskey', { body: { passkey } })).body.data;
    },
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  if (!supportsPasskeys()) return null;
  return (
    <>
      <Button loading={adding.isPending} onClick={() => adding.mutate()}>
        {copy.addPasskey}
      </Button>
      {adding.error && !isPasskeyCancelled(adding.error) && (
        <Problem title={copy.passkeyNotAdded} error={adding.error} />
      )}
    </>
  );
}
