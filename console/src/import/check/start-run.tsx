import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { commonCopy, importCopy } from '../../copy/copy.js';
import type { StepProps } from '../components/step-props.js';
import { isRunningElsewhere, withRunLock } from '../run/other-tabs.js';
import { startRun } from '../run/send-calls.js';
import type { UserCounts } from '../state/affected-users.js';
import { dependencies } from '../state/dependencies.js';
import type { ImportState } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { isComplete } from '../state/timing.js';
import { countChecks, countSent } from '../state/verdicts.js';
import { ConfirmRun } from './confirm-run.js';
import { missingGuard } from './missing-users.js';

const copy = importCopy.check;

interface StartRunProps extends StepProps {
  readonly users: UserCounts;
}

export function StartRun({ users, goTo }: StartRunProps) {
  const store = useImportStore();
  const state = useImportState();
  const [asked, setAsked] = useState<'otherTab' | 'confirm'>();
  const start = () => {
    void withRunLock(() => startRun(store, dependencies));
    goTo('run');
  };
  const ask = async () => setAsked((await isRunningElsewhere()) ? 'otherTab' : 'confirm');
  const close = () => setAsked(undefined);
  const { rows, check } = state;
  const isChecked = check?.state === 'checked';
  const sendable = rows && isChecked ? countSent(countChecks(rows), check.chunks.length) : 0;
  return (
    <>
      <Button disabled={sendable === 0 || !mayRun(state)} onClick={() => void ask()}>
        {isChecked && sendable === 0 ? copy.nothingToRun : copy.run[state.timing.kind](users.all)}
      </Button>
      {asked === 'confirm' && (
        <ConfirmRun
          users={users}
          timing={state.timing}
          deliver={state.deliver}
          onConfirm={start}
          onClose={close}
        />
      )}
      <Modal opened={asked === 'otherTab'} onClose={close} title={copy.otherTab} centered>
        <Text size="sm">{copy.otherTabHint}</Text>
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={() => setAsked('confirm')}>
            {copy.runAnyway}
          </Button>
          <Button onClick={close}>{commonCopy.cancel}</Button>
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
