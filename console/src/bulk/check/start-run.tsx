import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { bulkCopy } from '../../copy/bulk.js';
import { commonCopy } from '../../copy/common.js';
import type { StepProps } from '../bulk-page.js';
import { isRunningElsewhere, whileOthersKnow } from '../run/other-tabs.js';
import { goOn, planRun } from '../run/run.js';
import { tools } from '../state/dependencies.js';

const copy = bulkCopy.check;

interface StartRunProps extends StepProps {
  readonly count: number;
  readonly isReady: boolean;
}

export function StartRun({ wizard, count, isReady, onGo }: StartRunProps) {
  const [isAsking, setIsAsking] = useState(false);
  const start = () => {
    planRun(wizard, tools.newKey);
    void whileOthersKnow(() => goOn(wizard, tools));
    onGo('run');
  };
  const startOrAsk = async () => ((await isRunningElsewhere()) ? setIsAsking(true) : start());
  return (
    <>
      <Button disabled={!isReady} onClick={() => void startOrAsk()}>
        {copy.run[wizard.kind](count)}
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
