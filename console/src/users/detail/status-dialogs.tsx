import { Anchor, Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { errorFrom, isRollcallError, RollcallError } from '@rollcall/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { lastDayText } from '../../components/calls.js';
import { dayAfter } from '../../components/day-range.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { Notice } from '../../components/notice.js';
import { notify } from '../../components/notify.js';
import { ActionProblem } from '../../components/problem.js';
import { useServiceTimeZone } from '../../components/service-settings.js';
import { plannedCopy, userCopy } from '../../copy/copy.js';
import { formatDayStart } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { useCurrentUser } from '../../session/session.js';
import type { User } from '../data/user.js';
import {
  saveUser,
  type UpcomingChange,
  updateCachedUser,
  userQuery,
  type VersionedUser,
} from '../data/user-queries.js';
import { plannedDeactivation, upcomingText } from './leaving.js';
import { ReportsNote } from './reports-note.js';

const copy = userCopy.deactivate;

export function DeactivateDialog({ fresh, onClose }: { fresh: VersionedUser; onClose: () => void }) {
  const { user } = fresh;
  const me = useCurrentUser();
  const queries = useQueryClient();
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [lastDay, setLastDay] = useState('');
  const timeZone = useServiceTimeZone();
  const planned = plannedDeactivation(fresh.upcomingChanges ?? []);
  const isReplaced = useIsAlone(planned);
  const deactivateNow = useSetActive(fresh, false);
  const plan = async () => {
    await planDeactivation(user, lastDay);
    if (planned && isReplaced) await cancelPlanned(planned);
    notify(copy.planned(user.name, lastDayText(lastDay)));
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
        {planned && (
          <PlannedNote
            user={user}
            planned={planned}
            isReplaced={isReplaced}
            isPlanning={!isNow}
            onClose={onClose}
          />
        )}
        <ReportsNote user={user} />
        <Radio.Group
          label={copy.when}
          value={when}
          onChange={(value) => setWhen(value === 'later' ? 'later' : 'now')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="now" label={copy.now} data-autofocus />
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
        {lastDay !== '' && !isNow && (
          <Text size="sm" fw={600} role="status">
            {copy.at(formatDayStart(dayAfter(lastDay), timeZone))}
          </Text>
        )}
        <Text size="sm">{isNow ? copy.hint : copy.laterHint}</Text>
        {isNow && user.serial === me.serial && <Text size="sm">{copy.yourself}</Text>}
      </Stack>
    </ConfirmDialog>
  );
}

interface PlannedNoteProps {
  readonly user: User;
  readonly planned: UpcomingChange;
  readonly isReplaced: boolean | undefined;
  /** Another day is being chosen. */
  readonly isPlanning: boolean;
  readonly onClose: () => void;
}

/** The deactivation that is already planned, and what becomes of it. */
function PlannedNote({ user, planned, isReplaced, isPlanning, onClose }: PlannedNoteProps) {
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () => cancelPlanned(planned),
    onSuccess: () => {
      notify(copy.cancelled(user.name));
      onClose();
      return queries.invalidateQueries({ queryKey: userQuery(user.serial).queryKey, exact: true });
    },
  });
  return (
    <Notice color="yellow">
      {copy.already(upcomingText(planned))}{' '}
      <Anchor component={Link} href={`/activity/calls/${planned.callId}`} inherit underline="always">
        {plannedCopy.upcoming.view}
      </Anchor>
      {isPlanning && isReplaced !== undefined && (
        <Text size="sm">{isReplaced ? copy.replaced : copy.earlier}</Text>
      )}
      {isReplaced && (
        <Button
          size="compact-sm"
          variant="default"
          mt="xs"
          display="block"
          loading={cancelling.isPending}
          onClick={() => cancelling.mutate()}
        >
          {copy.cancelIt}
        </Button>
      )}
      <ActionProblem title={plannedCopy.cancel.failed} error={cancelling.error} />
    </Notice>
  );
}

/** Whether a planned call changes nobody else, so that it can be cancelled. Undefined until that is known. */
function useIsAlone(planned: UpcomingChange | undefined): boolean | undefined {
  const id = planned?.callId ?? '';
  const { data } = useQuery({
    queryKey: ['activity', 'call-size', id],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getCall', { path: { id }, signal })).body.data.items === 1,
    enabled: planned !== undefined,
  });
  return data;
}

async function cancelPlanned({ callId }: UpcomingChange): Promise<void> {
  await rollcall.call('cancelCall', { path: { id: callId } });
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
 * Deactivates the user at the end of a day, in the time zone of the service. The call selects the user by a filter
 * instead of listing them, so that it changes nothing but the status, and finds the user under a new employee ID.
 */
async function planDeactivation({ employeeID }: User, lastWorkingDay: string): Promise<void> {
  const body = { filter: { employeeID }, patch: { isActive: false } };
  const preview = await rollcall.call('updateMatching', { query: { dryRun: true }, body });
  const [failure] = preview.body.data.failedItems;
  if (failure) throw new RollcallError(409, errorFrom(failure.error));
  const query = { confirm: 1, lastWorkingDay };
  await rollcall.call('updateMatching', { query, body });
}
