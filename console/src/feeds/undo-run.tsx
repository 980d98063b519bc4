import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ConfirmDialog } from '../components/dialog.js';
import type { Run } from '../components/feeds.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { ActionProblem, Problem } from '../components/problem.js';
import { confirmationIn } from '../components/undo-calls.js';
import { undoCopy } from '../copy/copy.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { isUnderWay, isUndoable } from './feed.js';
import { refreshFeeds } from './queries.js';

const copy = feedsCopy.undo;

interface UndoProps {
  readonly run: Run;
  /** Whether the next run may make the same changes. Uploaded files are not read again. */
  readonly isFetched: boolean;
}

/** Undoes what a run changed. The page of the run shows how far it is. */
export function UndoRun(props: UndoProps) {
  const { run } = props;
  const [isOpen, setIsOpen] = useState(false);
  const mayUndo = usePermission('users:write');
  if (!mayUndo || !isUndoable(run)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {copy.open}
      </Button>
      {isOpen && <UndoDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** What the undo would do, and how many users the safety limit wants confirmed. */
async function previewUndo(path: { readonly key: string; readonly run: string }, signal: AbortSignal) {
  const preview = async (confirm?: number) =>
    (await rollcall.call('undoFeedRun', { path, query: { dryRun: true, confirm }, signal })).body.data;
  try {
    return { undo: await preview(), toConfirm: undefined };
  } catch (error) {
    const toConfirm = confirmationIn(error);
    if (toConfirm === undefined) throw error;
    return { undo: await preview(toConfirm), toConfirm };
  }
}

interface UndoDialogProps extends UndoProps {
  readonly onClose: () => void;
}

function UndoDialog({ run: { feed: key, id: run, counts }, isFetched, onClose }: UndoDialogProps) {
  const [typed, setTyped] = useState('');
  const path = { key, run };
  const preview = useQuery({
    queryKey: ['feed-undo', run],
    queryFn: ({ signal }) => previewUndo(path, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const undo = async () => {
    await rollcall.call('undoFeedRun', { path, query: { confirm: preview.data?.toConfirm } });
    notify(copy.started);
    await refreshFeeds();
  };
  const found = preview.data?.undo;
  const toConfirm = preview.data?.toConfirm ?? 0;
  const isConfirmed = toConfirm === 0 || typed.trim() === String(toConfirm);
  const restored = (found?.users ?? 0) - counts.created;
  return (
    <ConfirmDialog
      title={copy.title}
      confirm={copy.confirm}
      isDangerous
      isReady={found !== undefined && found.users > 0 && isConfirmed}
      failed={copy.failed}
      action={undo}
      onClose={onClose}
    >
      {preview.error && <Problem title={copy.failed} error={preview.error} />}
      {preview.isPending && <div role="status">{copy.checking}</div>}
      {found?.users === 0 && copy.nothing}
      {found !== undefined && found.users > 0 && (
        <>
          {restored > 0 && (
            <Text size="sm" fw={600}>
              {copy.willRestore(restored)}
            </Text>
          )}
          {counts.created > 0 && (
            <Text size="sm" fw={600}>
              {copy.created(counts.created)}
            </Text>
          )}
          {found.changedSince > 0 && <Text size="sm">{copy.changedSince(found.changedSince)}</Text>}
          {isFetched && (
            <Text size="sm" mt="xs">
              {copy.pause}
            </Text>
          )}
          {toConfirm > 0 && (
            <Notice color="yellow" title={undoCopy.safetyLimitTitle}>
              <Text size="sm" mb="xs">
                {undoCopy.safetyLimit(toConfirm)}
              </Text>
              <TextInput
                label={undoCopy.typeToConfirm(toConfirm)}
                inputMode="numeric"
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                maw={220}
              />
            </Notice>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

const replayCopy = feedsCopy.replay;

/** Shows what the file of a run would do today. */
export function ReplayRun({ run: { feed: key, id, hasFile, ...run } }: { run: Run }) {
  const [, go] = useLocation();
  const mayRun = usePermission('users:write');
  const replay = useMutation({
    mutationFn: async () => {
      const body = { dryRun: true, replay: id };
      const { data } = (await rollcall.call('startFeedRun', { path: { key }, body })).body;
      notify(replayCopy.started);
      void refreshFeeds();
      go(`/feeds/${key}/runs/${data.id}`);
    },
  });
  if (!mayRun || !hasFile || run.state === 'waiting' || isUnderWay(run)) return null;
  return (
    <>
      <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
        {replayCopy.open}
      </Button>
      <ActionProblem title={feedsCopy.actions.failed} error={replay.error} />
    </>
  );
}
