import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { errorMessage } from '../../components/problem.js';
import { bulkCopy } from '../../copy/bulk.js';
import type { StepProps } from '../bulk-page.js';
import { Counts } from '../components/counts.js';
import { StepHeading } from '../components/step-heading.js';
import { tools } from '../state/dependencies.js';
import { whileOthersKnow } from './other-tabs.js';
import { confirmBrake, endRun, goOn, type Pause, type Run, stopAfterThisCall } from './run.js';

const copy = bulkCopy.run;

export function RunStep({ wizard }: StepProps) {
  const { run } = wizard;
  if (!run) return null;
  const sent = run.succeeded + run.failed;
  return (
    <Stack maw={760}>
      <StepHeading>{copy.heading[run.state]}</StepHeading>
      <Progress
        value={run.all === 0 ? 100 : (sent / run.all) * 100}
        size="xl"
        striped
        animated={run.state === 'running' || run.state === 'stopping'}
        aria-label={copy.progress}
      />
      <Group justify="space-between">
        <Text role="status">{copy.sent(sent, run.all)}</Text>
        <Text size="sm" c="dimmed">
          {run.workedMs > 0 && sent > 0 ? copy.rate(Math.round((sent / run.workedMs) * 1_000)) : ''}
        </Text>
      </Group>
      <Counts
        counts={[
          { label: copy.succeeded, value: run.succeeded },
          { label: copy.failed, value: run.failed },
        ]}
      />
      {run.state === 'paused' && run.pause ? (
        <Paused
          run={run}
          pause={run.pause}
          onGoOn={() => void whileOthersKnow(() => goOn(wizard, tools))}
          onConfirm={() => {
            confirmBrake(wizard, tools.newKey);
            void whileOthersKnow(() => goOn(wizard, tools));
          }}
          onEnd={() => endRun(wizard)}
        />
      ) : (
        <UnderWay run={run} onStop={() => stopAfterThisCall(wizard)} />
      )}
    </Stack>
  );
}

function UnderWay({ run, onStop }: { run: Run; onStop: () => void }) {
  return (
    <>
      <Text size="sm">
        {run.pending[0] && copy.part(run.pending[0].rows.length)} {copy.keepOpen}
      </Text>
      <Group>
        <Button
          variant="default"
          onClick={onStop}
          disabled={run.state === 'stopping' || run.pending.length < 2}
        >
          {copy.stop}
        </Button>
        <Text size="sm" c="dimmed">
          {copy.stopHint}
        </Text>
      </Group>
    </>
  );
}

interface PausedProps {
  readonly run: Run;
  readonly pause: Pause;
  readonly onGoOn: () => void;
  readonly onConfirm: () => void;
  readonly onEnd: () => void;
}

function Paused({ run, pause, onGoOn, onConfirm, onEnd }: PausedProps) {
  const left = run.all - run.succeeded - run.failed;
  return (
    <Notice color={pause.why === 'cancelled' ? 'blue' : 'orange'} title={copy.paused[pause.why]} role="alert">
      <Text size="sm">{explained(pause, left)}</Text>
      <Text size="sm">{pause.why === 'braked' ? copy.brakeNothing : copy.nothingTwice}</Text>
      <Group mt="sm">
        {pause.why === 'braked' ? (
          <Button onClick={onConfirm}>{copy.brakeConfirm(pause.confirm)}</Button>
        ) : (
          pause.why !== 'session' && <Button onClick={onGoOn}>{copy.goOn}</Button>
        )}
        <Button variant="default" onClick={onEnd}>
          {copy.end}
        </Button>
      </Group>
    </Notice>
  );
}

function explained(pause: Pause, left: number): string {
  switch (pause.why) {
    case 'failed':
      return errorMessage(pause.error);
    case 'brokeOff':
      return pause.detail;
    case 'session':
      return copy.sessionHint;
    case 'braked':
      return pause.sentence;
    case 'cancelled':
      return copy.cancelledHint(left);
  }
}
