import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { factorsCopy as copy } from '../copy/account-copy.js';
import { sessionCopy } from '../copy/copy.js';
import { supportsPasskeys } from '../session/passkeys.js';
import { completeFactor, signOut } from '../session/sign-in.js';
import { AddApp, type NewCodes } from './add-app.js';
import { AddPasskey } from './add-passkey.js';
import { RecoveryCodes } from './recovery-codes.js';

/** The first factor of a user whose company requires one. */
export function Enrolment() {
  const [isApp, setIsApp] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const added = (recoveryCodes: NewCodes) => {
    if (recoveryCodes) setCodes(recoveryCodes);
    else void completeFactor();
  };
  if (codes) return <RecoveryCodes codes={codes} onSaved={() => void completeFactor()} />;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {copy.enrolHint}
      </Text>
      {supportsPasskeys() && !isApp && (
        <>
          <Text size="sm">{copy.passkeyHint}</Text>
          <AddPasskey onAdded={added} />
        </>
      )}
      {isApp ? (
        <AddApp onAdded={added} />
      ) : (
        <>
          <Text size="sm">{copy.appHint}</Text>
          <Button variant="default" onClick={() => setIsApp(true)}>
            {copy.addApp}
          </Button>
        </>
      )}
      <Button variant="subtle" color="gray" onClick={() => void signOut()}>
        {sessionCopy.signOut}
      </Button>
    </Stack>
  );
}
