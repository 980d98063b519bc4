import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { bulkCopy, commonCopy } from '../../copy/copy.js';
import type { StepProps } from '../components/step-props.js';
import { isRunningElsewhere, withRunLock } from '../run/other-tabs.js';
import { startRun } from '../run/send-calls.js';
import { dependencies } from '../state/dependencies.js';
import { useBulkState, useBulkStore } from '../state/store.js';

const copy = bulkCopy.check;

interface StartRunProps extends StepProps {
  readonly count: number;
  readonly isReady: boolean;
}

export function StartRun({ count, isReady, goTo }: StartRunProps) {
  const store = useBulkStore();
  const { kind } = useBulkState();
  const [isAsking, setIsAsking] = useState(false);
  const start = () => {
    void withRunLock(() => startRun(store, dependencies));
    goTo('run');
  };
  const startOrAsk = async () => ((await isRunningElsewhere()) ? setIsAsking(true) : start());
  return (
    <>
      <Button disabled={!isReady} onClick={() => void startOrAsk()}>
        {copy.run[kind](count)}
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
