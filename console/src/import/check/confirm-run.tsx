import { List, Stack, Text } from '@mantine/core';
import { ConfirmDialog } from '../../components/dialog.js';
import { useServiceTimeZone } from '../../components/service-settings.js';
import { importReviewCopy } from '../../copy/copy.js';
import { formatDayStart } from '../../copy/format.js';
import { FieldSummary } from '../components/field-summary.js';
import type { UserCounts } from '../state/affected-users.js';
import { changeKinds } from '../state/changes.js';
import type { ImportState } from '../state/state.js';
import type { Timing } from '../state/timing.js';

const copy = importReviewCopy.confirm;

interface ConfirmRunProps extends Pick<ImportState, 'timing' | 'deliver'> {
  readonly users: UserCounts;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The numbers and consequences of an import, before it runs. */
export function ConfirmRun({ users, timing, deliver, onConfirm, onClose }: ConfirmRunProps) {
  const timeZone = useServiceTimeZone();
  const passwords = deliver === 'hold' ? users.new : users.passwords;
  const inactive = users.new - users.passwords;
  return (
    <ConfirmDialog
      title={copy.title(users.all)}
      confirm={copy.start[timing.kind]}
      isDangerous={users.deactivated > 0}
      failed={copy.failed}
      action={async () => onConfirm()}
      onClose={onClose}
    >
      <Stack gap="sm">
        <List size="sm" spacing={4} aria-label={copy.numbers}>
          {changeKinds.map(
            (kind) => users[kind] > 0 && <List.Item key={kind}>{copy.kinds[kind](users[kind])}</List.Item>,
          )}
          {passwords > 0 && <List.Item>{copy.passwords[deliver](passwords)}</List.Item>}
          {inactive > 0 && <List.Item>{copy.inactive(inactive)}</List.Item>}
          {users.leftOut > 0 && <List.Item>{copy.leftOut(users.leftOut)}</List.Item>}
        </List>
        <FieldSummary users={users} />
        {users.deactivated > 0 && <Text size="sm">{copy.deactivation}</Text>}
        {users.renamed > 0 && <Text size="sm">{copy.renaming}</Text>}
        {users.passwords > 0 && deliver === 'now' && <Text size="sm">{copy.cannotRecall}</Text>}
        <Text size="sm" fw={600}>
          {whenText(timing, timeZone)}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}

function whenText({ kind, day }: Timing, timeZone: string | undefined): string {
  if (kind === 'now') return copy.now;
  if (kind === 'date') return copy.onDate(formatDayStart(day, timeZone));
  return day === '' ? copy.afterApproval : copy.afterApprovalFrom(formatDayStart(day, timeZone));
}
