import { errorFrom, type Rollcall } from '#client';
import type { Exit } from '../exit-codes.js';
import { findUser, type SerialOption } from '../find-user.js';
import type { Report } from '../matching/report.js';
import { type JsonOption, print, printJson } from '../output.js';
import { planQuery } from '../planning/options.js';
import { type PlannedCall, plannedCallOf, printPlanned } from '../planning/planned-call.js';
import { connectInteractive } from '../session/connect.js';
import { table } from '../terminal/table.js';
import type { User } from './format-user.js';
import { type FailedUser, failedUser, type UserOutcome } from './user-outcome.js';

export interface PlanSetActiveOptions extends SerialOption, JsonOption {
  readonly on?: string | undefined;
  readonly approval?: boolean | undefined;
}

/**
 * Plans one call for all users. It selects them instead of listing them: then it changes nothing but the status, and
 * finds users who have been renamed in the meantime.
 */
export async function planSetActive(
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
