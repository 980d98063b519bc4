import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { activityCopy } from '../copy/activity.js';
import { commonCopy } from '../copy/common.js';
import { ActionProblem } from './action-problem.js';
import { selectOptions } from './choices.js';
import { Dialog } from './dialog.js';
import type { IssuedSecret } from './issued-secret.js';

interface RotateSecretDialogProps {
  readonly name: string;
  /** What ending the present secret at once means here, where it means more than that. */
  readonly atOnce?: string;
  readonly rotate: (overlapSeconds: number) => Promise<IssuedSecret>;
  readonly onRotated: (secret: IssuedSecret) => void;
  readonly onClose: () => void;
}

const copy = activityCopy.rotate;
const usualSeconds = '86400';

export function RotateSecretDialog({ name, atOnce, rotate, onRotated, onClose }: RotateSecretDialogProps) {
  const [overlap, setOverlap] = useState(usualSeconds);
  const rotating = useMutation({ mutationFn: () => rotate(Number(overlap)), onSuccess: onRotated });
  return (
    <Dialog onClose={onClose} title={copy.title(name)}>
      <Stack>
        <Text size="sm">{copy.text}</Text>
        <Radio.Group label={copy.overlap} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {selectOptions({ ...copy.choices, ...(atOnce ? { 0: atOnce } : {}) }).map(({ value, label }) => (
              <Radio key={value} value={value} label={label} />
            ))}
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
