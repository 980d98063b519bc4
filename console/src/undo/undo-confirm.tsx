import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ActionProblem } from '../components/action-problem.js';
import { Warning } from '../components/warning.js';
import { activityCopy } from '../copy/activity.js';
import { commonCopy } from '../copy/common.js';
import { formatNumber } from '../copy/format.js';
import type { UndoPreview } from './undo-calls.js';
import { UndoReportTables } from './undo-report-tables.js';

interface UndoConfirmProps {
  readonly preview: UndoPreview;
  readonly error: unknown;
  readonly isUndoing: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const copy = activityCopy.undo;

export function UndoConfirm({ preview, error, isUndoing, onConfirm, onClose }: UndoConfirmProps) {
  const [typed, setTyped] = useState('');
  const { report, toConfirm } = preview;
  const [puts, stays] = [report.successItems.length, report.failedItems.length];
  const isConfirmed = toConfirm === undefined || typed.trim() === String(toConfirm);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>
          <Text fw={600}>{puts === 0 ? copy.nothing : copy.putBack(puts, formatNumber(puts))}</Text>
          {stays > 0 && <Text>{copy.stay(stays, formatNumber(stays))}</Text>}
        </div>
        {toConfirm !== undefined && (
          <Warning title={copy.brakeTitle}>
            <Text size="sm" mb="xs">
              {copy.brake(formatNumber(toConfirm))}
            </Text>
            <TextInput
              label={copy.brakeLabel(String(toConfirm))}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              maw={220}
            />
          </Warning>
        )}
        <UndoReportTables report={report} />
        <ActionProblem title={copy.failed} error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonCopy.cancel}
          </Button>
          <Button type="submit" color="red" disabled={puts === 0 || !isConfirmed} loading={isUndoing}>
            {copy.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
