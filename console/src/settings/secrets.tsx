import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Schemas } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { selectOptions } from '../components/choices.js';
import { Dialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { ActionProblem } from '../components/problem.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { clientsCopy } from '../copy/on-demand-copy.js';

const copy = clientsCopy.secret;

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

interface RotateSecretDialogProps {
  readonly name: string;
  /** Replaces the label of the choice to expire the current secret immediately. */
  readonly immediately?: string;
  readonly rotate: (overlapSeconds: number) => Promise<IssuedSecret>;
  readonly onRotated: (secret: IssuedSecret) => void;
  readonly onClose: () => void;
}

const rotateCopy = clientsCopy.rotation;
const defaultOverlapSeconds = '86400';

export function RotateSecretDialog({
  name,
  immediately,
  rotate,
  onRotated,
  onClose,
}: RotateSecretDialogProps) {
  const [overlap, setOverlap] = useState(defaultOverlapSeconds);
  const rotating = useMutation({ mutationFn: () => rotate(Number(overlap)), onSuccess: onRotated });
  return (
    <Dialog onClose={onClose} title={rotateCopy.title(name)}>
      <Stack>
        <Text size="sm">{rotateCopy.text}</Text>
        <Radio.Group label={rotateCopy.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {selectOptions({ ...rotateCopy.choices, ...(immediately ? { 0: immediately } : {}) }).map(
              ({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ),
            )}
          </Stack>
        </Radio.Group>
        <ActionProblem title={rotateCopy.failed} error={rotating.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonCopy.cancel}
          </Button>
          <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
            {rotateCopy.confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const secretsCopy = clientsCopy.secretDates;

export function SecretDates({ secrets }: { secrets: Schemas['Client']['secrets'] }) {
  if (secrets.length === 0) return secretsCopy.none;
  return secrets.map(({ createdAt, expiresAt }) => (
    <div key={createdAt}>
      {expiresAt === null
        ? secretsCopy.created(formatDateTime(createdAt))
        : secretsCopy.expires(formatDateTime(createdAt), formatDateTime(expiresAt))}
    </div>
  ));
}

/** A value to copy into another system. */
export function CopyableText({ label, value }: { label: string; value: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 4_000 });
  return (
    <div>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          value={value}
          readOnly
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" onClick={() => copy(value)} aria-label={`${activityCopy.copy}: ${label}`}>
          {activityCopy.copy}
        </Button>
      </Group>
      <Text size="xs" mt={4} role="status">
        {error ? activityCopy.cannotCopy : copied ? activityCopy.copied : ''}
      </Text>
    </div>
  );
}

/** Shown only once. */
export interface IssuedSecret {
  readonly clientId?: string;
  readonly secret: string;
}
