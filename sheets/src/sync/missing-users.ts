import type { SyncItem } from '../items.js';
import { callKey } from './calls.js';
import { inChunks } from './chunks.js';
import { IdIndex } from './id-index.js';
import type { ChunkOutcomes } from './journal.js';
import type { SyncOutcome } from './outcomes.js';
import type { Survey } from './survey.js';
import type { KnownUsers, MissingUsers, SyncRun } from './sync-run.js';

export interface MissingRules<User> {
  /** Whether the file mentions the user, or there is another reason to leave the user alone. */
  isPresent(user: User): boolean;
  hasRole(user: User): boolean;
  /** Whether users with a role are deactivated, too. */
  readonly includesRoles: boolean;
}

/** Whether an active user is missing from a file that lists everyone. The first administrator is in nobody's HR file. */
export function presenceOf<User>(user: User, rules: MissingRules<User>): 'present' | 'spared' | 'missing' {
  if (rules.isPresent(user)) return 'present';
  return rules.hasRole(user) && !rules.includesRoles ? 'spared' : 'missing';
}

/** A file mentions a user by the employee ID after the sync, or by the one before it if the user could not be renamed. */
export function isMentioned({ ids, renamedFrom }: Survey, employeeID: string): boolean {
  return ids.has(employeeID) || renamedFrom.has(employeeID);
}

/** Without a name, it can't create the user, should somebody have renamed them meanwhile. */
export function deactivation(employeeID: string): SyncItem {
  return { employeeID, isActive: false };
}

/** How many users a file may deactivate by not containing them: a number, or a percentage of the active users. */
export type DeactivateMax = { readonly users: number } | { readonly percent: number };

/** Unless someone decides otherwise. */
export const deactivatePercentDefault = 10;

export function mayDeactivate(missing: number, active: number, max: DeactivateMax): boolean {
  return missing <= ('users' in max ? max.users : Math.floor((active * max.percent) / 100));
}

/** The lowest whole percentage that allows to deactivate that many of the active users. */
export function percentNeeded(missing: number, active: number): number {
  let percent = Math.floor((100 * missing) / active);
  while (!mayDeactivate(missing, active, { percent })) percent++;
  return percent;
}

export interface FoundMissing {
  readonly ok: true;
  readonly ids: IdIndex;
  /** Employee IDs of users who are missing, but stay active because they have a role. */
  readonly spared: readonly string[];
}

export interface TooManyMissing {
  readonly ok: false;
  readonly reason: 'tooMany';
  readonly missing: number;
  readonly active: number;
}

/** Anyone could be in a row whose employee ID cannot be read. */
export interface UnreadableIds {
  readonly ok: false;
  readonly reason: 'unreadableIds';
}

/** Active users missing from the file, unless they are too many. `active` yields all active users. */
export async function findMissing<User extends { readonly employeeID: string }>(
  { unreadable }: Survey,
  active: AsyncIterable<User>,
  rules: MissingRules<User>,
  max: DeactivateMax,
): Promise<FoundMissing | TooManyMissing | UnreadableIds> {
  if (unreadable.count > 0) return { ok: false, reason: 'unreadableIds' };
  const ids = new IdIndex();
  const spared: string[] = [];
  let count = 0;
  for await (const user of active) {
    count++;
    const presence = presenceOf(user, rules);
    if (presence === 'spared') spared.push(user.employeeID);
    else if (presence === 'missing') ids.add(user.employeeID, 1);
  }
  if (mayDeactivate(ids.size, count, max)) return { ok: true, ids, spared };
  return { ok: false, reason: 'tooMany', missing: ids.size, active: count };
}

/** Deactivates the missing users that are still active. */
export async function* deactivateMissing(
  run: SyncRun,
  { ids, target }: MissingUsers,
): AsyncGenerator<ChunkOutcomes> {
  const { resumed, survey, rowsPerChunk } = run;
  const before = [...(resumed?.intended ?? [])].flatMap(([id, kind]) =>
    kind === 'deactivated' && !survey.ids.has(id) ? [id] : [],
  );
  // A resumed run has other users to deactivate, so its chunks need other names.
  const prefix = resumed ? `missing-${resumed.chunks.size}` : 'missing';
  const isDone = before.length > 0 ? await target.lookup(before) : new Map();
  yield { chunk: `${prefix}-before`, outcomes: deactivatedBefore(isDone), retries: [] };
  for (const [at, some] of inChunks(ids, rowsPerChunk)) {
    run.checkpoint();
    const chunk = `${prefix}-${at}`;
    const employeeIDs = some.map(([employeeID]) => employeeID);
    yield { chunk, outcomes: await deactivate(run, target, chunk, employeeIDs), retries: [] };
  }
}

/** Users that an interrupted sync was about to deactivate and that are inactive now. */
function deactivatedBefore(users: KnownUsers): SyncOutcome[] {
  return [...users.values()]
    .filter(({ isActive }) => !isActive)
    .map(({ employeeID, serial }) => ({ ...missing(employeeID, serial), kind: 'deactivated' }));
}

async function deactivate(
  { dryRun, journal }: SyncRun,
  target: MissingUsers['target'],
  chunk: string,
  employeeIDs: readonly string[],
): Promise<SyncOutcome[]> {
  const users = await target.lookup(employeeIDs);
  const active = [...users.values()].filter(({ isActive }) => isActive);
  if (active.length === 0) return [];
  if (!dryRun)
    await journal.intend(
      chunk,
      active.map(({ employeeID }) => [employeeID, 'deactivated']),
    );
  const call = { create: false, items: active.map(({ employeeID }) => deactivation(employeeID)) };
  const sent = await target.send(callKey(chunk, call), call, 'oneByOne');
  return active.map(({ employeeID, serial }, at) => {
    const user = missing(employeeID, serial);
    const result = sent[at];
    if (result?.ok !== false) return { ...user, kind: result?.isPlanned ? 'planned' : 'deactivated' };
    const { code, detail } = result;
    return { ...user, kind: 'failed', problem: { code, detail } };
  });
}

function missing(employeeID: string, serial: string) {
  return { row: null, employeeID, serial, changed: ['isActive'] };
}
