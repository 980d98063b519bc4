import type { Schemas } from '#client';
import {
  type DeactivateMax,
  findMissing,
  IdIndex,
  inChunks,
  isMentioned,
  rowsText,
  type Survey,
  type TooManyMissing,
} from '#sheets';
import { limitDefaults } from '../../../contract/limits.js';
import { CommandProblem } from '../../problem.js';
import { throwIfStopped } from '../../stop.js';
import { count } from '../../terminal/numbers.js';
import { createProgress } from '../../terminal/progress.js';
import { err } from '../../terminal/style.js';
import type { LookupOptions } from './http-target.js';

export interface MissingOptions {
  readonly maxDeactivate: DeactivateMax;
  /** Employee IDs of users who are never missing. */
  readonly keep?: readonly string[];
  readonly includeRoles?: boolean;
}

/** The maximum, since every user is read. */
const pageSize = 200;
const lookupSize = limitDefaults.bulkItemsMax;

type Listed = Schemas['User'];

/** Active users missing from the file. Refuses to go on if there are too many, before anything is done. */
export async function findMissingUsers(
  options: LookupOptions,
  survey: Survey,
  roleHolders: ReadonlySet<string>,
  { maxDeactivate: max, keep = [], includeRoles = false }: MissingOptions,
): Promise<IdIndex> {
  const progress = createProgress({ doing: 'Finding missing users', unit: 'users' });
  try {
    const isInFile = await inFile(options, survey);
    const kept = new Set(keep);
    const rules = {
      includesRoles: includeRoles,
      hasRole: ({ serial }: Listed) => roleHolders.has(serial),
      isPresent: ({ employeeID, createdAt }: Listed) =>
        isInFile(employeeID) || kept.has(employeeID) || isNewer(createdAt, options.asOf),
    };
    const found = await findMissing(survey, activeUsers(options, progress.at), rules, max);
    if (!found.ok) throw found.reason === 'tooMany' ? tooManyMissing(found, max) : unreadableIds(survey);
    if (found.spared.length > 0) progress.note(sparedText(found.spared));
    return found.ids;
  } finally {
    progress.end();
  }
}

async function* activeUsers(
  { rollcall, signal }: LookupOptions,
  onUser: (seen: number) => void,
): AsyncGenerator<Listed> {
  const query = { isActive: true, sort: 'employeeID', limit: pageSize } as const;
  let seen = 0;
  for await (const user of rollcall.each('listUsers', { query, retry: { signal } })) {
    throwIfStopped(signal);
    onUser(++seen);
    yield user;
  }
}

/** The serials of all users with a role, active or not. */
export async function listRoleHolders({ rollcall, signal }: LookupOptions): Promise<ReadonlySet<string>> {
  const serials = new Set<string>();
  const query = { notRole: 'none', limit: pageSize } as const;
  for await (const { serial } of rollcall.each('listUsers', { query, retry: { signal } }))
    serials.add(serial);
  return serials;
}

/** Whether the file mentions who has an employee ID now. With as-of addressing, it has the employee IDs of then. */
async function inFile(
  { rollcall, signal, asOf }: LookupOptions,
  survey: Survey,
): Promise<(employeeID: string) => boolean> {
  if (asOf === undefined) return (employeeID) => isMentioned(survey, employeeID);
  const now = new IdIndex();
  for (const [, some] of inChunks(survey.ids, lookupSize)) {
    const { body } = await rollcall.call('lookupUsers', {
      query: { asOf },
      body: { employeeIDs: some.map(([id]) => id) },
      retry: { signal },
    });
    for (const { employeeID } of body.data.items) now.add(employeeID, 1);
  }
  return (employeeID) => now.has(employeeID) || survey.renamedFrom.has(employeeID);
}

/** Whoever was created later cannot be in the file. */
function isNewer(createdAt: string, asOf: string | undefined): boolean {
  return asOf !== undefined && createdAt > asOf;
}

function tooManyMissing({ missing, active }: TooManyMissing, max: DeactivateMax): CommandProblem {
  const share = ((100 * missing) / active).toFixed(1);
  const limit = 'users' in max ? count(max.users) : `${max.percent}%`;
  return new CommandProblem(
    'refused',
    `${count(missing)} of ${count(active)} active users (${share}%) are missing from the file, but --max-deactivate is ${limit}. Nothing was done. Check that the file is complete. To proceed, run again with --max-deactivate ${missing}.`,
  );
}

function unreadableIds({ unreadable: { rows, count: all } }: Survey): CommandProblem {
  return new CommandProblem(
    'refused',
    `${rowsText(rows, all)} ${all === 1 ? 'has' : 'have'} no readable employee ID, so missing users cannot be determined. Nothing was done. Fix the file, or run without --deactivate-missing.`,
  );
}

/** Someone who has left may be among them. */
function sparedText(ids: readonly string[]): string {
  const examples = ids.slice(0, 5).join(', ');
  const who =
    ids.length === 1
      ? `1 user with a role is not in the file and stays active: ${examples}`
      : `${count(ids.length)} users with a role are not in the file and stay active: ${examples}${ids.length > 5 ? ', …' : ''}`;
  return `${err.yellow('!')} ${who}. Use --include-roles to deactivate such users, too.`;
}
