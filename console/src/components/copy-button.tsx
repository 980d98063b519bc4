import { Button, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { userPageCopy } from '../copy/copy.js';

/** Copies a value that is shown next to the button. Browsers allow that on secure origins only. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copy, copied } = useClipboard({ timeout: 3_000 });
  if (!window.isSecureContext) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" aria-label={label} onClick={() => copy(value)}>
        {copied ? userPageCopy.copied : userPageCopy.copy}
      </Button>
      <VisuallyHidden role="status">{copied && userPageCopy.copied}</VisuallyHidden>
    </>
  );
}
