import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { commonCopy } from '../copy/copy.js';
import { ActionProblem } from './action-problem.js';
import { Dialog } from './dialog.js';

interface FormDialogProps {
  readonly title: string;
  readonly save: string;
  readonly failed: string;
  readonly isComplete?: boolean;
  readonly action: () => Promise<void>;
  /** The action opens another dialog. */
  readonly staysOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Keeps its input when saving fails or the user clicks outside. */
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
