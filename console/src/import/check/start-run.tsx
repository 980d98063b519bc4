import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog.js';
import { useServiceTimeZone } from '../../components/service-settings.js';
import { commonCopy } from '../../copy/copy.js';
import { formatDayStart } from '../../copy/format.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { FieldSummary } from '../components/field-summary.js';
import type { StepProps } from '../components/step-heading.js';
import { isRunningElsewhere, withRunLock } from '../run/other-tabs.js';
import { startRun } from '../run/send-calls.js';
import type { UserCounts } from '../state/affected-users.js';
import { changeKinds } from '../state/changes.js';
import { dependencies } from '../state/dependencies.js';
import type { ImportState } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { isComplete, type Timing } from '../state/timing.js';
import { countChecks, countSent } from '../state/verdicts.js';
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
    void withRunLock(() => startRun(store, dependencies, users.all));
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

const confirmCopy = importReviewCopy.confirm;

interface ConfirmRunProps extends Pick<ImportState, 'timing' | 'deliver'> {
  readonly users: UserCounts;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The numbers and consequences of an import, before it runs. */
function ConfirmRun({ users, timing, deliver, onConfirm, onClose }: ConfirmRunProps) {
  const timeZone = useServiceTimeZone();
  const passwords = deliver === 'hold' ? users.created : users.passwords;
  const inactive = users.created - users.passwords;
  return (
    <ConfirmDialog
      title={confirmCopy.title(users.all)}
      confirm={confirmCopy.start[timing.kind]}
      isDangerous={users.deactivated > 0}
      failed={confirmCopy.failed}
      action={async () => onConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <List size="sm" spacing={4} aria-label={confirmCopy.numbers}>
          {changeKinds.map(
            (kind) =>
              users[kind] > 0 && <List.Item key={kind}>{confirmCopy.kinds[kind](users[kind])}</List.Item>,
          )}
          {passwords > 0 && <List.Item>{confirmCopy.passwords[deliver](passwords)}</List.Item>}
          {inactive > 0 && <List.Item>{confirmCopy.inactive(inactive)}</List.Item>}
          {users.leftOut > 0 && <List.Item>{confirmCopy.leftOut(users.leftOut)}</List.Item>}
        </List>
        <FieldSummary users={users} />
        {users.deactivated > 0 && <Text size="sm">{confirmCopy.deactivation}</Text>}
        {users.renamed > 0 && <Text size="sm">{confirmCopy.renaming}</Text>}
        {users.passwords > 0 && deliver === 'now' && <Text size="sm">{confirmCopy.cannotRecall}</Text>}
        <Text size="sm" fw={600}>
          {whenText(timing, timeZone)}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}

function whenText({ kind, day }: Timing, timeZone: string | undefined): string {
  if (kind === 'now') return confirmCopy.now;
  if (kind === 'date') return confirmCopy.onDate(formatDayStart(day, timeZone));
  return day === ''
    ? confirmCopy.afterApproval
    : confirmCopy.afterApprovalFrom(formatDayStart(day, timeZone));
}
