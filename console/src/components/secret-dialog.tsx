import { Button, Stack } from '@mantine/core';
import { texts } from '../copy/index.js';
import { CopiedText } from './copyable-text.js';
import { Dialog } from './dialog.js';
import type { GivenSecret } from './issued-secret.js';
import { Warning } from './warning.js';

const words = texts.activity.secret;

/** Closes by its button alone: a secret that was clicked away is gone. */
export function SecretDialog({ clientId, secret, onClose }: GivenSecret & { onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title={words.titleCreated}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Warning>{words.warning}</Warning>
        {clientId && <CopiedText label={words.clientId} value={clientId} />}
        <CopiedText label={words.secret} value={secret} />
        <Button onClick={onClose}>{words.kept}</Button>
      </Stack>
    </Dialog>
  );
}
