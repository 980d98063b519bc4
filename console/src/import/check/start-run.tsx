import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { commonCopy, importCopy } from '../../copy/copy.js';
import type { StepProps } from '../components/step-props.js';
import { isRunningElsewhere, withRunLock } from '../run/other-tabs.js';
import { startRun } from '../run/send-calls.js';
import { dependencies } from '../state/dependencies.js';
import type { ImportState } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { isComplete } from '../state/timing.js';
import { countChecks, countSent } from '../state/verdicts.js';
import { missingGuard } from './missing-users.js';

const copy = importCopy.check;

interface StartRunProps extends StepProps {
  /** Rows that change something. */
  readonly changes: number;
}

export function StartRun({ changes, goTo }: StartRunProps) {
  const store = useImportStore();
  const state = useImportState();
  const [isAsking, setIsAsking] = useState(false);
  const start = () => {
    void withRunLock(() => startRun(store, dependencies));
    goTo('run');
  };
  const startOrAsk = async () => ((await isRunningElsewhere()) ? setIsAsking(true) : start());
  const { rows, check } = state;
  const isChecked = check?.state === 'checked';
  const sendable = rows && isChecked ? countSent(countChecks(rows), check.chunks.length) : 0;
  return (
    <>
      <Button disabled={sendable === 0 || !mayRun(state)} onClick={() => void startOrAsk()}>
        {isChecked && sendable === 0 ? copy.nothingToRun : copy.run[state.timing.kind](changes)}
      </Button>
      <Modal opened={isAsking} onClose={() => setIsAsking(false)} title={copy.otherTab} centered>
        <Text size="sm">{copy.otherTabHint}</Text>
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={start}>
            {copy.runAnyway}
          </Button>
          <Button onClick={() => setIsAsking(false)}>{commonCopy.cancel}</Button>
        </Group>
      </Modal>
    </>
  );
}

function mayRun(state: ImportState): boolean {
  const { check, timing } = state;
  if (check?.state !== 'checked' || !isComplete(timing)) return false;
  if (timing.kind !== 'now' && check.chunks.length > 1) return false;
  const guard = missingGuard(state).kind;
  return guard !== 'tooMany' && guard !== 'unreadable';
}
