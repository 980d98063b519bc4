import { Button, Stack } from '@mantine/core';
import { activityCopy } from '../copy/copy.js';
import { CopyableText } from './copyable-text.js';
import { Dialog } from './dialog.js';
import type { IssuedSecret } from './issued-secret.js';
import { Notice } from './notice.js';

const copy = activityCopy.secret;

/** Closes only with its button, because the secret cannot be shown again. */
export function SecretDialog({ clientId, secret, onClose }: IssuedSecret & { onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title={copy.title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Notice color="yellow">{copy.warning}</Notice>
        {clientId && <CopyableText label={copy.clientId} value={clientId} />}
        <CopyableText label={copy.secret} value={secret} />
        <Button onClick={onClose}>{copy.done}</Button>
      </Stack>
    </Dialog>
  );
}
