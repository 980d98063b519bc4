import { Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Dialog } from '../components/dialog.js';
import { Problem } from '../components/problem.js';
import { undoCopy } from '../copy/copy.js';
import { queryClient } from '../session/api.js';
import { undoCall } from './undo-call.js';
import { confirmationIn, previewUndo, type Undone, type UndoPreview, undoCalls } from './undo-calls.js';
import { UndoConfirm } from './undo-confirm.js';
import { UndoDone } from './undo-done.js';

interface UndoDialogProps {
  /** In the order in which to undo them. */
  readonly ids: readonly string[];
  readonly onCallUndone?: (id: string, undone: Undone) => void;
  readonly onClose: () => void;
}

/** Previews an undo, performs it once confirmed, and shows its result. */
export function UndoDialog({ ids, onCallUndone, onClose }: UndoDialogProps) {
  const [remaining, setRemaining] = useState(ids);
  const undone = useRef(new Set<string>());
  const preview = useQuery({
    queryKey: ['activity', 'undo-preview', remaining],
    queryFn: ({ signal }) => previewUndo(undoCall, remaining, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const undo = useMutation({
    mutationFn: ({ confirmations }: UndoPreview) =>
      undoCalls(undoCall, remaining, confirmations, (id, result) => {
        undone.current.add(id);
        onCallUndone?.(id, result);
      }),
    onSuccess: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'undo-preview' }),
    onError: (error) => {
      const left = remaining.filter((id) => !undone.current.has(id));
      if (left.length < remaining.length) setRemaining(left);
      // Other changes have moved the number to confirm.
      else if (confirmationIn(error) !== undefined) void preview.refetch();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={undo.data && !undo.data.isPlanned ? undoCopy.doneTitle : undoCopy.title}
      size="xl"
    >
      {undo.data ? (
        <UndoDone undone={undo.data} onClose={onClose} />
      ) : (
        <Stack>
          {preview.error && (
            <Problem
              title={undoCopy.cannotPreview}
              error={preview.error}
              onRetry={() => void preview.refetch()}
            />
          )}
          {preview.isPending && <Loading />}
          {preview.data && (
            <UndoConfirm
              key={[...preview.data.confirmations.values()].join()}
              preview={preview.data}
              error={undo.error}
              isUndoing={undo.isPending || preview.isFetching}
              onConfirm={() => undo.mutate(preview.data)}
              onClose={onClose}
            />
          )}
        </Stack>
      )}
    </Dialog>
  );
}

function Loading() {
  return (
    <Stack align="center" p="lg" role="status">
      <Loader aria-hidden />
      <Text size="sm">{undoCopy.loading}</Text>
    </Stack>
  );
}
