import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { selectOptions } from './choices.js';
import { Dialog } from './dialog.js';
import type { IssuedSecret } from './issued-secret.js';
import { ActionProblem } from './problem.js';

interface RotateSecretDialogProps {
  readonly name: string;
  /** Replaces the label of the choice to expire the current secret immediately. */
  readonly immediately?: string;
  readonly rotate: (overlapSeconds: number) => Promise<IssuedSecret>;
  readonly onRotated: (secret: IssuedSecret) => void;
  readonly onClose: () => void;
}

const copy = activityCopy.rotate;
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
    <Dialog onClose={onClose} title={copy.title(name)}>
      <Stack>
        <Text size="sm">{copy.text}</Text>
        <Radio.Group label={copy.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {selectOptions({ ...copy.choices, ...(immediately ? { 0: immediately } : {}) }).map(
              ({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ),
            )}
          </Stack>
        </Radio.Group>
        <ActionProblem title={copy.failed} error={rotating.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonCopy.cancel}
          </Button>
          <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
            {copy.confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
