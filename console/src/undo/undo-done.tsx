import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { AwaitsApproval } from '../components/call-state.js';
import { commonCopy, undoCopy } from '../copy/copy.js';
import type { Undone } from './undo-calls.js';
import { countUndo } from './undo-report.js';
import { UndoReportTables } from './undo-report-tables.js';

interface UndoDoneProps {
  readonly undone: Undone;
  readonly onClose: () => void;
}

export function UndoDone({ undone, onClose }: UndoDoneProps) {
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
