import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { useServiceTimeZone } from '../../components/service-settings.js';
import { userCopy } from '../../copy/copy.js';
import { formatDayStart } from '../../copy/format.js';
import { useCurrentUser } from '../../session/session.js';
import { dayAfter } from '../data/day-after.js';
import { planDeactivation } from '../data/plan-deactivation.js';
import { userQuery, type VersionedUser } from '../data/user-queries.js';
import { useSetActive } from './use-set-active.js';

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
