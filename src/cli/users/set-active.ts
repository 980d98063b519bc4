import type { Rollcall } from '#client';
import type { Exit } from '../exit-codes.js';
import { findUser, type SerialOption } from '../find-user.js';
import { type JsonOption, print, printJson } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { table } from '../terminal/table.js';
import { type PlanSetActiveOptions, planSetActive } from './plan-set-active.js';
import { failedUser, type UserOutcome } from './user-outcome.js';

/** `rollcall users activate ID…` */
export function activateUsers(ids: readonly string[], options: PlanSetActiveOptions): Promise<Exit> {
  return setActive(ids, true, options);
}

/** `rollcall users deactivate ID…` */
export function deactivateUsers(ids: readonly string[], options: PlanSetActiveOptions): Promise<Exit> {
  return setActive(ids, false, options);
}

async function setActive(
  ids: readonly string[],
  isActive: boolean,
  options: PlanSetActiveOptions,
): Promise<Exit> {
  const isPlanned = options.on !== undefined || options.approval === true;
  return isPlanned ? planSetActive(ids, isActive, options) : setActiveNow(ids, isActive, options);
}

/** One by one: a bulk call requires the name as well, and could overwrite a concurrent change of it. */
async function setActiveNow(
  ids: readonly string[],
  isActive: boolean,
  options: PlanSetActiveOptions,
): Promise<Exit> {
  const rollcall = connectInteractive();
  const outcomes: UserOutcome[] = [];
  try {
    for (const id of new Set(ids)) outcomes.push(await setOne(rollcall, id, isActive, options));
  } finally {
    printOutcomes(outcomes, isActive, options); // report what was done even if the service fails halfway
  }
  return outcomes.every(({ ok }) => ok) ? 'done' : 'someFailed';
}

async function setOne(
  rollcall: Rollcall,
  id: string,
  isActive: boolean,
  options: SerialOption,
): Promise<UserOutcome> {
  try {
    const user = await findUser(rollcall, id, options);
    const changed = user.isActive !== isActive;
    if (changed) {
      await rollcall.call('updateUser', { path: { serial: user.serial }, body: { isActive } });
    }
    return { id, ok: true, name: user.name, changed };
  } catch (error) {
    return failedUser(id, error);
  }
}

function printOutcomes(outcomes: readonly UserOutcome[], isActive: boolean, { json }: JsonOption): void {
  if (outcomes.length === 0) return;
  if (json) {
    printJson(outcomes);
    return;
  }
  const state = isActive ? 'active' : 'inactive';
  const rows = outcomes.map((outcome) =>
    outcome.ok
      ? [outcome.id, outcome.name, outcome.changed ? `now ${state}` : `already ${state}`]
      : [outcome.id, '', `failed: ${outcome.error.detail}`],
  );
  print(table([['ID', 'NAME', 'OUTCOME'], ...rows]));
}
