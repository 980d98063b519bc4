import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Notice } from '../components/notice.js';
import { ActionProblem } from '../components/problem.js';
import { commonCopy, undoCopy } from '../copy/copy.js';
import type { UndoPreview } from './undo-calls.js';
import { countUndo, undoNotes } from './undo-report.js';
import { UndoReportTables } from './undo-report-tables.js';

interface UndoConfirmProps {
  readonly preview: UndoPreview;
  readonly error: unknown;
  readonly isUndoing: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function UndoConfirm({ preview, error, isUndoing, onConfirm, onClose }: UndoConfirmProps) {
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
