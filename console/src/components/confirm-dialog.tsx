import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { commonCopy } from '../copy/copy.js';
import { ActionProblem } from './action-problem.js';
import { Dialog } from './dialog.js';

interface ConfirmDialogProps {
  readonly title: string;
  readonly confirm: string;
  /** Instead of “Cancel”, which would be ambiguous if the action cancels something. */
  readonly keep?: string;
  readonly isDangerous?: boolean;
  /** False as long as it is unknown what to confirm. */
  readonly isReady?: boolean;
  readonly failed: string;
  readonly action: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Stays open if the action fails, and shows why. */
export function ConfirmDialog({
  title,
  confirm,
  keep = commonCopy.cancel,
  isDangerous,
  isReady = true,
  failed,
  action,
  onClose,
  children,
}: ConfirmDialogProps) {
  const mutation = useMutation({ mutationFn: action, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <ActionProblem title={failed} error={mutation.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {keep}
          </Button>
          <Button
            color={isDangerous ? 'red' : 'blue'}
            disabled={!isReady}
            loading={mutation.isPending}
            onClick={() => mutation.mutate()}
          >
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
