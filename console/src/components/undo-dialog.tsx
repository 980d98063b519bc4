import { Anchor, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { errorFrom } from '@rollcall/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { commonCopy, undoCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { AwaitsApproval } from './call-state.js';
import { ChangesTable } from './changes-table.js';
import { Dialog } from './dialog.js';
import { errorMessage } from './error-message.js';
import { Notice } from './notice.js';
import { ActionProblem, Problem } from './problem.js';
import { ReportTable, reportRowsMax } from './report-table.js';
import {
  confirmationIn,
  countUndo,
  employeeIDOf,
  previewUndo,
  type UndoCall,
  type Undone,
  type UndoPreview,
  type UndoReport,
  undoCalls,
  undoNotes,
} from './undo-calls.js';
import { UserCell, useUserNames } from './user-cell.js';

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

const undoCall: UndoCall = async (id, { dryRun, confirm, signal }) => {
  const query = { dryRun, confirm };
  const { status, body, headers } = await rollcall.call('undoCall', { path: { id }, query, signal });
  return { report: body.data, callId: headers.get('x-call-id'), isPlanned: status === 202 };
};

interface UndoConfirmProps {
  readonly preview: UndoPreview;
  readonly error: unknown;
  readonly isUndoing: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function UndoConfirm({ preview, error, isUndoing, onConfirm, onClose }: UndoConfirmProps) {
  const [typed, setTyped] = useState('');
  const { report, confirmations } = preview;
  const { restored, removed, skipped } = countUndo(report);
  const toConfirm = [...confirmations.values()].reduce((sum, count) => sum + count, 0);
  const isConfirmed = toConfirm === 0 || typed.trim() === String(toConfirm);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>
          {restored + removed === 0 && <Text fw={600}>{undoCopy.nothing}</Text>}
          {restored > 0 && <Text fw={600}>{undoCopy.willRestore(restored)}</Text>}
          {removed > 0 && <Text fw={600}>{undoCopy.willRemove(removed)}</Text>}
          {skipped > 0 && <Text>{undoCopy.willSkip(skipped)}</Text>}
          {undoNotes(report).map((note) => (
            <Text key={note} size="sm" mt={4}>
              {undoCopy.notes[note]}
            </Text>
          ))}
        </div>
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
        <UndoReportTables report={report} />
        <ActionProblem title={undoCopy.failed} error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonCopy.cancel}
          </Button>
          <Button
            type="submit"
            color="red"
            disabled={restored + removed === 0 || !isConfirmed}
            loading={isUndoing}
          >
            {undoCopy.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface UndoDoneProps {
  readonly undone: Undone;
  readonly onClose: () => void;
}

function UndoDone({ undone, onClose }: UndoDoneProps) {
  if (!undone.isPlanned) return <Done undone={undone} onClose={onClose} />;
  return (
    <Stack>
      <AwaitsApproval callId={undone.callId} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{commonCopy.close}</Button>
      </Group>
    </Stack>
  );
}

function Done({ undone: { report, callId }, onClose }: UndoDoneProps) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.focus(), []); // the dialog was scrolled down to its buttons
  const { restored, removed, skipped } = countUndo(report);
  return (
    <Stack>
      <div role="status" ref={outcome} tabIndex={-1}>
        {restored + removed === 0 && <Text fw={600}>{undoCopy.nothingDone}</Text>}
        {restored > 0 && <Text fw={600}>{undoCopy.restored(restored)}</Text>}
        {removed > 0 && <Text fw={600}>{undoCopy.removed(removed)}</Text>}
        {skipped > 0 && <Text>{undoCopy.skipped(skipped)}</Text>}
      </div>
      <UndoReportTables report={report} />
      <Group justify="flex-end">
        {callId !== null && (
          <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm" me="auto">
            {undoCopy.viewUndo}
          </Anchor>
        )}
        <Button onClick={onClose}>{commonCopy.close}</Button>
      </Group>
    </Stack>
  );
}

/** Users that cannot be restored come first, because they may need attention. */
function UndoReportTables({ report: { successItems, failedItems } }: { report: UndoReport }) {
  const skipped = failedItems
    .slice(0, reportRowsMax)
    .map((item) => ({ employeeID: employeeIDOf(item), error: item.error }));
  const restored = successItems.map((item) => ({
    ...{ ...item.effect, employeeID: employeeIDOf(item), serial: item.response.serial },
  }));
  const nameOf = useUserNames(skipped);
  return (
    <Stack>
      <ReportTable
        title={undoCopy.skippedTitle}
        label={undoCopy.skippedTable}
        headers={[commonCopy.user, undoCopy.reason]}
        rows={skipped.map((user) => [
          <UserCell key="user" employeeID={user.employeeID} name={nameOf(user)} />,
          errorMessage(errorFrom(user.error)),
        ])}
        count={failedItems.length}
      />
      <ChangesTable
        title={undoCopy.changesTitle}
        label={undoCopy.changesTable}
        heading={undoCopy.fields}
        changes={restored}
      />
    </Stack>
  );
}
