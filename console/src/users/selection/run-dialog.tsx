import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { ConnectionFailed, isRollcallError } from '@rollcall/client';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { describeError } from '../../components/error-message.js';
import { Notice } from '../../components/notice.js';
import { ReportTable, reportRowsMax } from '../../components/report-table.js';
import { UserCell } from '../../components/user-cell.js';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
import { expireSessionOnUnauthorized, rollcall } from '../../session/api.js';
import type { ListedUser } from '../data/user.js';
import { notStarted, type Run, type RunProgress, runOneByOne } from './one-by-one.js';

const copy = usersListCopy.runs;

interface RunDialogProps {
  readonly kind: RunKind;
  readonly users: readonly ListedUser[];
  readonly onClose: () => void;
}

/** Asks, then acts on one user after the other, and reports who failed. */
export function RunDialog({ kind, users: selected, onClose }: RunDialogProps) {
  const [users, setUsers] = useState(selected);
  const [progress, setProgress] = useState<RunProgress<ListedUser>>();
  const run = useRef<Run>(undefined);
  useEffect(() => () => run.current?.stop(), []);
  const start = (chosen: readonly ListedUser[]) => {
    setUsers(chosen);
    setProgress(notStarted);
    run.current = runOneByOne({
      users: chosen,
      act: ({ serial }) => userActions[kind](serial),
      explain: explainFailure,
      onProgress: setProgress,
    });
  };
  const isUnderWay = progress !== undefined && progress.state !== 'finished';
  return (
    <Dialog
      title={copy[kind].title}
      size="lg"
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!isUnderWay}
      withCloseButton={!isUnderWay}
    >
      {progress === undefined ? (
        <Question kind={kind} count={users.length} onStart={() => start(users)} onClose={onClose} />
      ) : isUnderWay ? (
        <UnderWay progress={progress} total={users.length} run={run.current} />
      ) : (
        <Finished kind={kind} progress={progress} total={users.length} onRetry={start} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface QuestionProps {
  readonly kind: RunKind;
  readonly count: number;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

function Question({ kind, count, onStart, onClose }: QuestionProps) {
  return (
    <Stack>
      <Text size="sm">{copy[kind].text(count)}</Text>
      <Text size="sm">{copy.notUndoable}</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {commonCopy.cancel}
        </Button>
        <Button onClick={onStart}>{copy[kind].start(count)}</Button>
      </Group>
    </Stack>
  );
}

interface UnderWayProps {
  readonly progress: RunProgress<ListedUser>;
  readonly total: number;
  readonly run: Run | undefined;
}

function UnderWay({ progress: { state, done, failed, isSessionEnded }, total, run }: UnderWayProps) {
  const isPaused = state === 'paused';
  const text = (isPaused ? copy.paused : copy.progress)(done, total);
  return (
    <Stack>
      <Progress.Root size="lg">
        <Progress.Section value={(100 * done) / total} aria-label={text} animated={!isPaused} />
      </Progress.Root>
      <Text size="sm" role="status">
        {text}
      </Text>
      {failed.length > 0 && <Text size="sm">{copy.failedCount(failed.length)}</Text>}
      {isSessionEnded && (
        <Notice color="yellow" role="alert">
          {copy.sessionEnded}
        </Notice>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => run?.stop()}>
          {copy.stop}
        </Button>
        <Button data-autofocus onClick={() => (isPaused ? run?.resume() : run?.pause())}>
          {isPaused ? copy.resume : copy.pause}
        </Button>
      </Group>
    </Stack>
  );
}

interface FinishedProps {
  readonly kind: RunKind;
  readonly progress: RunProgress<ListedUser>;
  readonly total: number;
  readonly onRetry: (users: readonly ListedUser[]) => void;
  readonly onClose: () => void;
}

function Finished({ kind, progress: { done, succeeded, failed }, total, onRetry, onClose }: FinishedProps) {
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.focus(), []); // the button that had the focus is gone
  return (
    <Stack>
      <div role="status" ref={outcome} tabIndex={-1}>
        <Text fw={600}>{copy[kind].succeeded(succeeded)}</Text>
        {failed.length > 0 && <Text>{copy.failedCount(failed.length)}</Text>}
        {done < total && <Text>{copy.notDone(total - done)}</Text>}
      </div>
      <ReportTable
        title={copy.failures}
        label={copy.failuresTable}
        headers={[commonCopy.user, copy.reason]}
        rows={failed
          .slice(0, reportRowsMax)
          .map(({ user, reason }) => [
            <UserCell key="user" {...user} href={`/users/${user.serial}`} />,
            reason,
          ])}
        count={failed.length}
      />
      <Group justify="flex-end">
        {failed.length > 0 && (
          <Button variant="default" onClick={() => onRetry(failed.map(({ user }) => user))}>
            {copy.retry(failed.length)}
          </Button>
        )}
        <Button onClick={onClose}>{commonCopy.close}</Button>
      </Group>
    </Stack>
  );
}

/** What administrators do for each of the selected users. */
export type RunKind = 'resetPasswords' | 'resendMessages';

/** A user who has no message that could be sent again. */
class NothingToSend extends Error {}

const latestMax = 10;

const userActions: Readonly<Record<RunKind, (serial: string) => Promise<void>>> = {
  resetPasswords: async (serial) => {
    await rollcall.call('resetPassword', { path: { serial } });
  },
  resendMessages: async (userSerial) => {
    const { body } = await rollcall.call('listDeliveries', { query: { userSerial, limit: latestMax } });
    const latest = body.data.items.find(
      ({ kind, state }) => kind.endsWith('-password') && state !== 'cancelled',
    );
    if (!latest) throw new NothingToSend();
    await rollcall.call('resendDelivery', { path: { id: latest.id } });
  },
};

/** Undefined if the session has ended, or the service can't be reached: then it's worth waiting. */
function explainFailure(error: unknown): string | undefined {
  if (error instanceof NothingToSend) return copy.nothingToSend;
  if (isRollcallError(error) && error.status === 401) {
    expireSessionOnUnauthorized(error);
    return undefined;
  }
  return error instanceof ConnectionFailed ? undefined : describeError(error);
}
