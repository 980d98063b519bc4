import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { errorFrom, isRollcallError, RollcallError } from '@rollcall/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dayAfter } from '../../components/day-range.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { useServiceTimeZone } from '../../components/service-settings.js';
import { userCopy } from '../../copy/copy.js';
import { formatDayStart } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { useCurrentUser } from '../../session/session.js';
import type { User } from '../data/user.js';
import { saveUser, updateCachedUser, userQuery, type VersionedUser } from '../data/user-queries.js';

const copy = userCopy.deactivate;

export function DeactivateDialog({ fresh, onClose }: { fresh: VersionedUser; onClose: () => void }) {
  const { user } = fresh;
  const me = useCurrentUser();
  const queries = useQueryClient();
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [lastDay, setLastDay] = useState('');
  const timeZone = useServiceTimeZone();
  const startOfDay = lastDay === '' ? undefined : formatDayStart(dayAfter(lastDay), timeZone);
  const deactivateNow = useSetActive(fresh, false);
  const plan = async () => {
    const day = dayAfter(lastDay);
    await planDeactivation(user, day);
    notify(copy.planned(user.name, formatDayStart(day, timeZone)));
    await queries.invalidateQueries({ queryKey: userQuery(user.serial).queryKey, exact: true });
  };
  const isNow = when === 'now';
  return (
    <ConfirmDialog
      title={copy.title(user.name)}
      confirm={isNow ? copy.action : copy.plan}
      isDangerous
      isReady={isNow || lastDay !== ''}
      failed={copy.failed}
      action={isNow ? deactivateNow : plan}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Radio.Group
          label={copy.when}
          value={when}
          onChange={(value) => setWhen(value === 'later' ? 'later' : 'now')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="now" label={copy.now} />
            <Radio value="later" label={copy.later} />
          </Stack>
        </Radio.Group>
        {!isNow && (
          <TextInput
            type="date"
            label={copy.day}
            value={lastDay}
            min={today()}
            onChange={(event) => setLastDay(event.currentTarget.value)}
            w={180}
          />
        )}
        {startOfDay !== undefined && !isNow && (
          <Text size="sm" fw={600} role="status">
            {copy.at(startOfDay)}
          </Text>
        )}
        <Text size="sm">{isNow ? copy.hint : copy.laterHint}</Text>
        {isNow && user.serial === me.serial && <Text size="sm">{copy.yourself}</Text>}
      </Stack>
    </ConfirmDialog>
  );
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

const reactivateCopy = userCopy.reactivate;

export function ReactivateDialog({ fresh, onClose }: { fresh: VersionedUser; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={reactivateCopy.title(fresh.user.name)}
      confirm={reactivateCopy.action}
      failed={reactivateCopy.failed}
      action={useSetActive(fresh, true)}
      onClose={onClose}
    >
      {reactivateCopy.hint}
    </ConfirmDialog>
  );
}

/** Changes the status now. If the user has been changed meanwhile, reads the user again. */
function useSetActive(fresh: VersionedUser, isActive: boolean): () => Promise<void> {
  const queries = useQueryClient();
  const { user } = fresh;
  return async () => {
    try {
      const saved = await saveUser(fresh, { isActive });
      notify((isActive ? userCopy.reactivate : userCopy.deactivate).done(user.name));
      await updateCachedUser(queries, saved);
    } catch (error) {
      if (isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) {
        await queries.invalidateQueries({ queryKey: userQuery(user.serial).queryKey, exact: true });
      }
      throw error;
    }
  };
}

/**
 * Deactivates the user at the beginning of a day, in the time zone of the service. The call selects the user by a filter
 * instead of listing them, so that it changes nothing but the status, and finds the user under a new employee ID.
 */
async function planDeactivation({ employeeID }: User, day: string): Promise<void> {
  const body = { filter: { employeeID }, patch: { isActive: false } };
  const preview = await rollcall.call('updateMatching', { query: { dryRun: true }, body });
  const [failure] = preview.body.data.failedItems;
  if (failure) throw new RollcallError(409, errorFrom(failure.error));
  const query = { confirm: 1, effectiveAt: day };
  await rollcall.call('updateMatching', { query, body });
}
