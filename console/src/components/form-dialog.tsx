import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { commonCopy } from '../copy/common.js';
import { ActionProblem } from './action-problem.js';
import { Dialog } from './dialog.js';

interface FormDialogProps {
  readonly title: string;
  readonly save: string;
  readonly failed: string;
  readonly isComplete?: boolean;
  readonly action: () => Promise<void>;
  /** The action itself goes on to another dialog. */
  readonly staysOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form above the page. What was typed stays when it cannot be saved, and a click beside it does not throw it away. */
export function FormDialog(props: FormDialogProps) {
  const { title, save, failed, isComplete = true, action, staysOpen, onClose, children } = props;
  const saving = useMutation({ mutationFn: action, onSuccess: () => !staysOpen && onClose() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete) saving.mutate();
  };
  return (
    <Dialog onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <ActionProblem title={failed} error={saving.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonCopy.cancel}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
