import type { Effect } from '../../contract/changes.js';
import type { CallState } from '../../contract/enums.js';
import type { Failure } from '../../contract/errors.js';
import { managersAboveMax } from '../../contract/limits.js';
import {
  listUpcomingChanges,
  type UpcomingChange as StoredChange,
} from '../../storage/changes/planned-items.js';
import type { Database, Executor } from '../../storage/database.js';
import { type ManagerAbove, managersAbove } from '../../storage/users/managers.js';
import { getUser as readUser, type VersionedUser } from '../../storage/users/read-users.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { missingUser } from '../missing-user.js';
import { isSerial } from '../serial.js';

export type Found =
  | ({
      readonly ok: true;
      /** From the manager of the user up to whoever has none. */
      readonly managers: readonly ManagerAbove[];
      readonly upcomingChanges: readonly UpcomingChange[];
    } & VersionedUser)
  | { readonly ok: false; readonly failure: Failure };

/** A change that a planned call will make. */
export interface UpcomingChange {
  readonly callId: string;
  readonly state: CallState;
  readonly effectiveAt: string | null;
  readonly lastWorkingDay: string | null;
  readonly effect: Effect;
}

export async function getUser(database: Database, serial: string): Promise<Found> {
  const [found, upcoming] = isSerial(serial)
    ? await Promise.all([readUser(database.pool, serial), upcomingChangesOf(database.pool, serial)])
    : [undefined, []];
  if (!found) return { ok: false, failure: await missingUser(database.pool, serial) };
  const managers =
    found.user.managerSerial === null ? [] : await managersAbove(database.pool, serial, managersAboveMax);
  return { ok: true, ...found, managers, upcomingChanges: upcoming };
}

export async function upcomingChangesOf(executor: Executor, serial: string): Promise<UpcomingChange[]> {
  return (await listUpcomingChanges(executor, serial)).flatMap(upcomingChange);
}

function upcomingChange({
  callId,
  state,
  effectiveAt,
  lastWorkingDay,
  preview,
}: StoredChange): UpcomingChange[] {
  const outcome = preview as ItemOutcome;
  if (!outcome.ok || !outcome.effect || outcome.effect.kind === 'unchanged') return [];
  return [
    {
      ...{ callId, state, lastWorkingDay },
      effectiveAt: effectiveAt?.toISOString() ?? null,
      effect: outcome.effect,
    },
  ];
}
