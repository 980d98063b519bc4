import { Loader, Stack, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Dialog } from '../components/dialog.js';
import { Problem } from '../components/problem.js';
import { activityCopy } from '../copy/activity.js';
import { queryClient } from '../session/api.js';
import { previewUndo, undo } from './undo-calls.js';
import { UndoConfirm } from './undo-confirm.js';
import { UndoDone } from './undo-done.js';

const copy = activityCopy.undo;

/** Shows what an undo would do, does it once that is confirmed, and tells what came of it. */
export function UndoDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const preview = useQuery({
    queryKey: ['activity', 'undo-preview', id],
    queryFn: ({ signal }) => previewUndo(id, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const undoing = useMutation({
    mutationFn: (confirm: number | undefined) => undo(id, confirm),
    onSuccess: () =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'undo-preview' }),
    onError: (error) => {
      // Other people are at work: the number is not the one that was shown any more.
      if (isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT')) void preview.refetch();
    },
  });
  return (
    <Dialog onClose={onClose} title={undoing.data ? copy.doneTitle : copy.title} size="xl">
      {undoing.data ? (
        <UndoDone undone={undoing.data} onClose={onClose} />
      ) : (
        <Stack>
          {preview.error && (
            <Problem
              title={copy.cannotPreview}
              error={preview.error}
              onRetry={() => void preview.refetch()}
            />
          )}
          {preview.isPending && <Looking />}
          {preview.data && (
            <UndoConfirm
              key={preview.data.toConfirm}
              preview={preview.data}
              error={undoing.error}
              isUndoing={undoing.isPending || preview.isFetching}
              onConfirm={() => undoing.mutate(preview.data.toConfirm)}
              onClose={onClose}
            />
          )}
        </Stack>
      )}
    </Dialog>
  );
}

function Looking() {
  return (
    <Stack align="center" p="lg" role="status">
      <Loader aria-hidden />
      <Text size="sm">{copy.looking}</Text>
    </Stack>
  );
}
