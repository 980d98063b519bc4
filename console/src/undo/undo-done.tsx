import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { number } from '../copy/format.js';
import { texts } from '../copy/index.js';
import type { Undone } from './undo-calls.js';
import { UndoReportTables } from './undo-report-tables.js';

const words = texts.activity.undo;

export function UndoDone({ undone: { report, callId }, onClose }: { undone: Undone; onClose: () => void }) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.focus(), []); // the dialog was scrolled down to its buttons
  const [puts, stays] = [report.successItems.length, report.failedItems.length];
  return (
    <Stack>
      <div role="status" ref={outcome} tabIndex={-1}>
        <Text fw={600}>{puts === 0 ? words.wasNothing : words.wasPutBack(puts, number(puts))}</Text>
        {stays > 0 && <Text>{words.stayed(stays, number(stays))}</Text>}
      </div>
      <UndoReportTables report={report} />
      <Group justify="space-between">
        {callId !== null && (
          <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm">
            {words.seeUndo}
          </Anchor>
        )}
        <Button onClick={onClose}>{words.close}</Button>
      </Group>
    </Stack>
  );
}
