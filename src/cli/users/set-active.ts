import { errorFrom, type Rollcall, RollcallError } from '#client';
import type { Report } from '../matching/report.js';
import { type JsonOption, print, printJson } from '../output.js';
import { planQuery } from '../planning/options.js';
import { type PlannedCall, plannedCallOf, printPlanned } from '../planning/planned-call.js';
import type { Exit } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { table } from '../terminal/table.js';
import { findUser, type SerialOption } from '../user-names.js';
import type { User } from './format-user.js';

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

interface PlanSetActiveOptions extends SerialOption, JsonOption {
  readonly on?: string | undefined;
  readonly approval?: boolean | undefined;
}

/**
 * Plans one call for all users. It selects them instead of listing them: then it changes nothing but the status, and
 * finds users who have been renamed in the meantime.
 */
async function planSetActive(
  ids: readonly string[],
  isActive: boolean,
  options: PlanSetActiveOptions,
): Promise<Exit> {
  const rollcall = connectInteractive();
  const { users, failed } = await findUsers(rollcall, ids, options);
  const outcomes: UserOutcome[] = [...failed];
  let planned: PlannedCall | undefined;
  if (users.size > 0) {
    const reply = await rollcall.call('updateMatching', {
      query: {
        confirm: users.size,
        ...planQuery({ effectiveAt: options.on, approval: options.approval }),
      },
      body: { filter: { employeeID: [...users.keys()] }, patch: { isActive } },
    });
    outcomes.push(...outcomesOf(reply.body.data, users));
    planned = await plannedCallOf(rollcall, reply);
  }
  if (options.json) printJson({ callId: planned?.id ?? null, outcomes });
  else {
    printTable(outcomes, isActive);
    if (planned) printPlanned(planned);
  }
  return outcomes.every(({ ok }) => ok) ? 'done' : 'someFailed';
}

interface Found {
  /** By their employee IDs, with the IDs that were given. */
  readonly users: ReadonlyMap<string, { readonly id: string; readonly user: User }>;
  readonly failed: readonly FailedUser[];
}

async function findUsers(rollcall: Rollcall, ids: readonly string[], options: SerialOption): Promise<Found> {
  const users = new Map<string, { id: string; user: User }>();
  const failed: FailedUser[] = [];
  for (const id of new Set(ids)) {
    try {
      const user = await findUser(rollcall, id, options);
      users.set(user.employeeID, { id, user });
    } catch (error) {
      failed.push(failedUser(id, error));
    }
  }
  return { users, failed };
}

function outcomesOf({ successItems, failedItems }: Report, users: Found['users']): UserOutcome[] {
  const foundOf = (employeeID = '') => users.get(employeeID);
  return [
    ...failedItems.map(({ payload, error }): UserOutcome => {
      const { name, code } = errorFrom(error);
      const detail = error.reason ?? error.detail;
      return { id: foundOf(payload.employeeID)?.id ?? '', ok: false, error: { name, code, detail } };
    }),
    ...successItems.map(({ payload, effect }): UserOutcome => {
      const found = foundOf(payload.employeeID);
      const changed = effect?.kind !== 'unchanged';
      return { id: found?.id ?? '', ok: true, name: found?.user.name ?? '', changed };
    }),
  ];
}

function printTable(outcomes: readonly UserOutcome[], isActive: boolean): void {
  const state = isActive ? 'active' : 'inactive';
  const rows = outcomes.map((outcome) =>
    outcome.ok
      ? [outcome.id, outcome.name, outcome.changed ? `will be ${state}` : `already ${state}`]
      : [outcome.id, '', `failed: ${outcome.error.detail}`],
  );
  print(table([['ID', 'NAME', 'OUTCOME'], ...rows]));
}

/** What became of one of the users that a command was given. */
type UserOutcome =
  | { readonly id: string; readonly ok: true; readonly name: string; readonly changed: boolean }
  | FailedUser;

interface FailedUser {
  readonly id: string;
  readonly ok: false;
  readonly error: { readonly name: string; readonly code: number; readonly detail: string };
}

/** A problem of one user, which does not concern the others. */
function failedUser(id: string, error: unknown): FailedUser {
  if (!(error instanceof RollcallError) || ![400, 404, 409].includes(error.status)) throw error;
  const { name, code, detail } = error;
  return { id, ok: false, error: { name, code, detail } };
}
