import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ActionProblem } from '../components/action-problem.js';
import { Warning } from '../components/warning.js';
import { number } from '../copy/format.js';
import { texts } from '../copy/index.js';
import type { UndoPreview } from './undo-calls.js';
import { UndoReportTables } from './undo-report-tables.js';

interface UndoConfirmProps {
  readonly preview: UndoPreview;
  readonly error: unknown;
  readonly isUndoing: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const words = texts.activity.undo;

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
          <Text fw={600}>{puts === 0 ? words.nothing : words.putBack(puts, number(puts))}</Text>
          {stays > 0 && <Text>{words.stay(stays, number(stays))}</Text>}
        </div>
        {toConfirm !== undefined && (
          <Warning title={words.brakeTitle}>
            <Text size="sm" mb="xs">
              {words.brake(number(toConfirm))}
            </Text>
            <TextInput
              label={words.brakeLabel(String(toConfirm))}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              maw={220}
            />
          </Warning>
        )}
        <UndoReportTables report={report} />
        <ActionProblem title={words.failed} error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={puts === 0 || !isConfirmed} loading={isUndoing}>
            {words.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
