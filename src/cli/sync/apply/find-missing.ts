import { deactivationsAllowed } from '#sheets';
import { limitDefaults } from '../../../contract/limits.js';
import { CommandProblem } from '../../problem.js';
import { throwIfStopped } from '../../stop.js';
import { count } from '../../terminal/numbers.js';
import { IdIndex } from '../file/id-index.js';
import { rowsText, type Survey } from '../file/survey.js';
import type { LookupOptions } from './lookup.js';

/** How many users may be deactivated: a number, or a percentage of the active users. */
export type DeactivateMax = { readonly users: number } | { readonly percent: number };

export interface MissingOptions {
  readonly max: DeactivateMax;
  /** Employee IDs of users who are never missing. */
  readonly keep: ReadonlySet<string>;
  /** Serials of users who stay active because they have a role. The first administrator is in nobody's HR file. */
  readonly spared: ReadonlySet<string>;
}

export interface Missing {
  readonly ids: IdIndex;
  /** Employee IDs of users who are missing, but stay active because they have a role. */
  readonly spared: readonly string[];
}

/** The maximum, since every user is read. */
const pageSize = 200;
const lookupSize = limitDefaults.bulkItemsMax;

/** Active users missing from the file. Refuses to go on if there are too many, before anything is done. */
export async function findMissing(
  { rollcall, signal, asOf }: LookupOptions,
  { ids, renamedFrom, unreadable }: Survey,
  { max, keep, spared }: MissingOptions,
  onUser: (seen: number) => void,
): Promise<Missing> {
  if (unreadable.count > 0) throw unreadableIds(unreadable);
  const missing = new IdIndex();
  const sparedIds: string[] = [];
  const renamed = await presentIds({ rollcall, signal, asOf }, ids);
  let active = 0;
  const list = rollcall.each('listUsers', {
    query: { isActive: true, sort: 'employeeID', limit: pageSize },
    retry: { signal },
  });
  for await (const { serial, employeeID, createdAt } of list) {
    throwIfStopped(signal);
    onUser(++active);
    // A user who still has an old ID could not be renamed, but is in the file.
    const isInFile = asOf === undefined ? ids.has(employeeID) : renamed.has(employeeID);
    const isPresent =
      isInFile || renamedFrom.has(employeeID) || keep.has(employeeID) || isNewer(createdAt, asOf);
    if (isPresent) continue;
    if (spared.has(serial)) sparedIds.push(employeeID);
    else missing.add(employeeID, 1);
  }
  if (missing.size > allowed(max, active)) throw tooManyMissing(missing.size, active, max);
  return { ids: missing, spared: sparedIds };
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

export function allowed(max: DeactivateMax, active: number): number {
  return 'users' in max ? max.users : deactivationsAllowed(max.percent, active);
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
