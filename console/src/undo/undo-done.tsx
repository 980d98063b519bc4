import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { activityCopy } from '../copy/activity.js';
import { formatNumber } from '../copy/format.js';
import type { Undone } from './undo-calls.js';
import { UndoReportTables } from './undo-report-tables.js';

const copy = activityCopy.undo;

export function UndoDone({ undone: { report, callId }, onClose }: { undone: Undone; onClose: () => void }) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.focus(), []); // the dialog was scrolled down to its buttons
  const [puts, stays] = [report.successItems.length, report.failedItems.length];
  return (
    <Stack>
      <div role="status" ref={outcome} tabIndex={-1}>
        <Text fw={600}>{puts === 0 ? copy.wasNothing : copy.wasPutBack(puts, formatNumber(puts))}</Text>
        {stays > 0 && <Text>{copy.stayed(stays, formatNumber(stays))}</Text>}
      </div>
      <UndoReportTables report={report} />
      <Group justify="space-between">
        {callId !== null && (
          <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm">
            {copy.seeUndo}
          </Anchor>
        )}
        <Button onClick={onClose}>{copy.close}</Button>
      </Group>
    </Stack>
  );
}
