import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Problem } from '../../components/problem.js';
import { commonCopy } from '../../copy/copy.js';

interface ConfirmationProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
  readonly problem: string;
  /** Null if nothing failed. */
  readonly error: unknown;
  readonly color?: string;
}

/** Stays open if the action fails, and shows why. */
export function Confirmation(props: ConfirmationProps) {
  const { isOpen, onClose, title, children, action, onConfirm, isPending, problem, error, color } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack gap="sm">
        {children}
        {error !== null && <Problem title={problem} error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {commonCopy.cancel}
          </Button>
          <Button {...(color === undefined ? {} : { color })} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
