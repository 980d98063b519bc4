import type { Schemas } from '#client';
import {
  type DeactivateMax,
  IdIndex,
  isMentioned,
  mayDeactivate,
  presenceOf,
  rowsText,
  type Survey,
} from '#sheets';
import { limitDefaults } from '../../../contract/limits.js';
import { CommandProblem } from '../../problem.js';
import { throwIfStopped } from '../../stop.js';
import { count } from '../../terminal/numbers.js';
import type { LookupOptions } from './lookup.js';

export interface MissingOptions {
  readonly max: DeactivateMax;
  /** Employee IDs of users who are never missing. */
  readonly keep: ReadonlySet<string>;
  /** Serials of users with a role. */
  readonly roleHolders: ReadonlySet<string>;
  readonly includesRoles: boolean;
}

export interface Missing {
  readonly ids: IdIndex;
  /** Employee IDs of users who are missing, but stay active because they have a role. */
  readonly spared: readonly string[];
}

/** The maximum, since every user is read. */
const pageSize = 200;
const lookupSize = limitDefaults.bulkItemsMax;

type Listed = Schemas['User'];

/** Active users missing from the file. Refuses to go on if there are too many, before anything is done. */
export async function findMissing(
  { rollcall, signal, asOf }: LookupOptions,
  survey: Survey,
  { max, keep, roleHolders, includesRoles }: MissingOptions,
  onUser: (seen: number) => void,
): Promise<Missing> {
  if (survey.unreadable.count > 0) throw unreadableIds(survey.unreadable);
  const missing = new IdIndex();
  const spared: string[] = [];
  const mentionedThen = await presentIds({ rollcall, signal, asOf }, survey.ids);
  const rules = {
    includesRoles,
    hasRole: ({ serial }: Listed) => roleHolders.has(serial),
    isPresent: ({ employeeID, createdAt }: Listed) =>
      isInFile(employeeID) || keep.has(employeeID) || isNewer(createdAt, asOf),
  };
  const isInFile = (employeeID: string) =>
    asOf === undefined
      ? isMentioned(survey, employeeID)
      : mentionedThen.has(employeeID) || survey.renamedFrom.has(employeeID);
  let active = 0;
  const list = rollcall.each('listUsers', {
    query: { isActive: true, sort: 'employeeID', limit: pageSize },
    retry: { signal },
  });
  for await (const user of list) {
    throwIfStopped(signal);
    onUser(++active);
    const presence = presenceOf(user, rules);
    if (presence === 'spared') spared.push(user.employeeID);
    else if (presence === 'missing') missing.add(user.employeeID, 1);
  }
  if (!mayDeactivate(missing.size, active, max)) throw tooManyMissing(missing.size, active, max);
  return { ids: missing, spared };
}

/** The serials of all users with a role, active or not. */
export async function listRoleHolders({ rollcall, signal }: LookupOptions): Promise<ReadonlySet<string>> {
  const serials = new Set<string>();
  const query = { notRole: 'none', limit: pageSize } as const;
  for await (const { serial } of rollcall.each('listUsers', { query, retry: { signal } }))
    serials.add(serial);
  return serials;
}

/** With as-of addressing, the employee IDs that users of the file have now. */
async function presentIds(options: LookupOptions, ids: IdIndex): Promise<IdIndex> {
  const present = new IdIndex();
  if (options.asOf === undefined) return present;
  const asked = [...ids].map(([id]) => id);
  for (let at = 0; at < asked.length; at += lookupSize) {
    const { body } = await options.rollcall.call('lookupUsers', {
      query: { asOf: options.asOf },
      body: { employeeIDs: asked.slice(at, at + lookupSize) },
      retry: { signal: options.signal },
    });
    for (const { employeeID } of body.data.items) present.add(employeeID, 1);
  }
  return present;
}

/** Whoever was created later cannot be in the file. */
function isNewer(createdAt: string, asOf: string | undefined): boolean {
  return asOf !== undefined && createdAt > asOf;
}

function tooManyMissing(missing: number, active: number, max: DeactivateMax): CommandProblem {
  const share = ((100 * missing) / active).toFixed(1);
  const limit = 'users' in max ? count(max.users) : `${max.percent}%`;
  return new CommandProblem(
    'refused',
    `${count(missing)} of ${count(active)} active users (${share}%) are missing from the file, but --max-deactivate is ${limit}. Nothing was done. Check that the file is complete. To proceed, run again with --max-deactivate ${missing}.`,
  );
}

function unreadableIds({ rows, count: all }: Survey['unreadable']): CommandProblem {
  return new CommandProblem(
    'refused',
    `${rowsText(rows, all)} ${all === 1 ? 'has' : 'have'} no readable employee ID, so missing users cannot be determined. Nothing was done. Fix the file, or run without --deactivate-missing.`,
  );
}
