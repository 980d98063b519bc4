import { Button, Stack } from '@mantine/core';
import { activityCopy } from '../copy/activity.js';
import { CopyableText } from './copyable-text.js';
import { Dialog } from './dialog.js';
import type { IssuedSecret } from './issued-secret.js';
import { Warning } from './warning.js';

const copy = activityCopy.secret;

/** Closes by its button alone: a secret that was clicked away is gone. */
export function SecretDialog({ clientId, secret, onClose }: IssuedSecret & { onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title={copy.titleCreated}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Warning>{copy.warning}</Warning>
        {clientId && <CopyableText label={copy.clientId} value={clientId} />}
        <CopyableText label={copy.secret} value={secret} />
        <Button onClick={onClose}>{copy.kept}</Button>
      </Stack>
    </Dialog>
  );
}
