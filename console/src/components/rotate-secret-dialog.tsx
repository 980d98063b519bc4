import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../copy/index.js';
import { ActionProblem } from './action-problem.js';
import { optionsOf } from './choices.js';
import { Dialog } from './dialog.js';
import type { GivenSecret } from './issued-secret.js';

interface RotateDialogProps {
  readonly name: string;
  /** What ending the present secret at once means here, where it means more than that. */
  readonly atOnce?: string;
  readonly rotate: (overlapSeconds: number) => Promise<GivenSecret>;
  readonly onRotated: (secret: GivenSecret) => void;
  readonly onClose: () => void;
}

const words = texts.activity.rotate;
const usualSeconds = '86400';

export function RotateDialog({ name, atOnce, rotate, onRotated, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState(usualSeconds);
  const rotating = useMutation({ mutationFn: () => rotate(Number(overlap)), onSuccess: onRotated });
  return (
    <Dialog onClose={onClose} title={words.title(name)}>
      <Stack>
        <Text size="sm">{words.text}</Text>
        <Radio.Group label={words.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {optionsOf({ ...words.choices, ...(atOnce ? { 0: atOnce } : {}) }).map(({ value, label }) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <ActionProblem title={words.failed} error={rotating.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
