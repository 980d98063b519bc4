import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { commonCopy, matchingCopy } from '../copy/copy.js';

interface PreviewFormProps {
  readonly onPreview: () => void;
  readonly isChecking?: boolean;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Says what to change. Nothing changes before it has been previewed. */
export function PreviewForm({ onPreview, isChecking = false, onCancel, children }: PreviewFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPreview();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {commonCopy.cancel}
          </Button>
          <Button type="submit" loading={isChecking}>
            {matchingCopy.preview}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
