import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { describeError, errorMessage } from '../../components/error-message.js';
import { Notice } from '../../components/notice.js';
import { formatNumber } from '../../copy/format.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { DownloadInvalid } from '../components/download-invalid.js';
import { StepHeading } from '../components/step-heading.js';
import { expectedMs, useExpectedShare } from '../components/use-expected-share.js';
import { allowNotifications, notificationState } from '../state/announce.js';
import { dependencies } from '../state/dependencies.js';
import type { Pause, Run } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { withRunLock } from './other-tabs.js';
import { confirmSafetyLimit, resumeRun } from './send-calls.js';

const copy = importCopy.run;

export function RunStep() {
  const { run } = useImportState();
  const share = useShareOfCall(run);
  if (!run) return null;
  const sent = run.succeeded + run.failed + run.planned;
  return (
    <Stack maw={760}>
      <StepHeading>{copy.heading[run.state]}</StepHeading>
      <Progress
        value={run.all === 0 ? 100 : ((sent + share * (run.pending[0]?.rows.length ?? 0)) / run.all) * 100}
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
      {run.users !== undefined && run.users !== run.all && (
        <Text size="sm">{importReviewCopy.rowsForUsers(run.all, run.users)}</Text>
      )}
      <Counts
        counts={[
          { label: copy.succeeded, value: run.succeeded },
          { label: copy.failed, value: run.failed },
        ]}
      />
      {run.state === 'paused' && run.pause ? (
        <Paused run={run} pause={run.pause} />
      ) : (
        <InProgress run={run} />
      )}
      <div>
        <DownloadInvalid />
      </div>
    </Stack>
  );
}

/** How much of the call in flight is probably done. */
function useShareOfCall(run: Run | undefined): number {
  const call = run?.state === 'running' || run?.state === 'stopping' ? run.pending[0] : undefined;
  const done = run ? run.succeeded + run.failed + run.planned : 0;
  const msPerRow = run && done > 0 ? run.workedMs / done : undefined;
  return useExpectedShare(call, expectedMs(call?.rows.length ?? 0, msPerRow));
}

function InProgress({ run }: { run: Run }) {
  const store = useImportStore();
  return (
    <>
      <Text size="sm">
        {run.pending[0] && copy.sending(run.pending[0].rows.length)} {copy.keepOpen}
      </Text>
      <NotifyMe />
      <Group>
        <Button
          variant="default"
          onClick={() => store.dispatch({ type: 'stopRequested' })}
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

function Paused({ run, pause }: { run: Run; pause: Pause }) {
  const store = useImportStore();
  const left = run.all - run.succeeded - run.failed - run.planned;
  return (
    <Notice color={pause.why === 'stopped' ? 'blue' : 'orange'} title={copy.paused[pause.why]} role="alert">
      <Text size="sm">{explain(pause, left)}</Text>
      <Text size="sm">{pause.why === 'safetyLimit' ? copy.nothingDone : copy.nothingTwice}</Text>
      <Group mt="sm">
        {pause.why === 'safetyLimit' && (
          <Button onClick={() => void withRunLock(() => confirmSafetyLimit(store, dependencies))}>
            {copy.confirm(pause.confirm)}
          </Button>
        )}
        {pause.why !== 'safetyLimit' && pause.why !== 'session' && (
          <Button onClick={() => void withRunLock(() => resumeRun(store, dependencies))}>
            {copy.resume}
          </Button>
        )}
        <Button variant="default" onClick={() => store.dispatch({ type: 'runEnded' })}>
          {copy.end}
        </Button>
      </Group>
    </Notice>
  );
}

function explain(pause: Pause, left: number): string {
  switch (pause.why) {
    case 'failed':
      return describeError(pause.error);
    case 'interrupted':
      return errorMessage(pause.error);
    case 'session':
      return copy.sessionHint;
    case 'safetyLimit':
      return pause.message;
    case 'stopped':
      return copy.stoppedHint(left);
  }
}

/** Asks the browser for permission only when clicked. */
function NotifyMe() {
  const [state, setState] = useState(notificationState);
  if (state === 'unsupported') return null;
  if (state !== 'default') {
    return (
      <Text size="sm" c="dimmed" role="status">
        {state === 'granted' ? copy.notifyOn : copy.notifyOff}
      </Text>
    );
  }
  return (
    <div>
      <Button variant="default" size="xs" onClick={() => void allowNotifications().then(setState)}>
        {copy.notify}
      </Button>
    </div>
  );
}

interface Count {
  readonly label: string;
  readonly value: number;
  readonly color?: string | undefined;
}

/** Zeros are left out, except for the first. */
function Counts({ counts }: { counts: readonly Count[] }) {
  return (
    <Group component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {counts
        .filter(({ value }, index) => index === 0 || value > 0)
        .map(({ label, value, color }) => (
          <Paper key={label} component="li" withBorder px="sm" py={4}>
            <Text component="span" fw={700} {...(color === undefined ? {} : { c: color })}>
              {formatNumber(value)}
            </Text>{' '}
            <Text component="span" size="sm">
              {label}
            </Text>
          </Paper>
        ))}
    </Group>
  );
}
