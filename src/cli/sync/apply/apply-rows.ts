import { isPlan } from '../../planning/options.js';
import { type Decision, decide, type User } from '../decide.js';
import type { IdIndex } from '../file/id-index.js';
import type { SyncRow } from '../file/rows.js';
import type { Journal } from '../journal/journal.js';
import type { Kind, Outcome } from '../outcome.js';
import type { LookupOptions, Users } from './lookup.js';
import { type SendOptions, type Sent, sendCreates, sendRehires, sendUpdates } from './send.js';

export interface ApplyContext extends SendOptions, LookupOptions {
  /** Whether inactive users are rehired if their row says that they are active. */
  readonly rehire: boolean;
  /** Serials of users whose sign-in data this caller may not change. */
  readonly protectedUsers: ReadonlySet<string>;
  readonly journal: Journal;
  /** Every employee ID in the file. */
  readonly fileIds: IdIndex;
  /** What an interrupted sync was about to do, and may have done. */
  readonly intended: ReadonlyMap<string, Kind>;
  /** What a dry run would have freed so far. */
  readonly freed: { readonly ids: Set<string>; readonly usernames: IdIndex };
}

export interface Applied {
  readonly outcomes: Outcome[];
  /** Rows that may succeed once all others are done. */
  readonly retry: SyncRow[];
}

export interface ApplyOptions {
  /** No retry follows. */
  readonly isLast?: boolean;
  /** finalState lets two users swap a unique value. */
  readonly mode?: 'oneByOne' | 'finalState';
}

/** Decides what to do for each row, given its users, and does it. */
export async function applyRows(
  context: ApplyContext,
  chunk: string,
  rows: readonly SyncRow[],
  users: Users,
  { isLast = false, mode = 'oneByOne' }: ApplyOptions = {},
): Promise<Applied> {
  const known = {
    rehire: context.rehire,
    isProtected: ({ serial }: User) => context.protectedUsers.has(serial),
    user: (id: string) => (context.freed.ids.has(id) ? undefined : users.get(id)),
    inFile: (id: string) => context.fileIds.has(id),
  };
  const decisions = rows.map((row) => decide(row, known));
  const updates: At<'update'>[] = [];
  const rehires: At<'rehire'>[] = [];
  const creates: At<'create'>[] = [];
  for (const [at, decision] of decisions.entries()) {
    if (decision.action === 'update') updates.push({ at, decision });
    else if (decision.action === 'rehire') rehires.push({ at, decision });
    else if (decision.action === 'create') creates.push({ at, decision });
  }
  recordIntent(context, chunk, rows, [...updates, ...rehires, ...creates]);
  if (context.dryRun) noteFreed(context, rows, [...updates, ...rehires], users);

  const sent: (Sent | undefined)[] = [];
  const note = (some: readonly { readonly at: number }[], results: readonly Sent[]) => {
    for (const [index, { at }] of some.entries()) sent[at] = results[index];
  };
  const items = updates.map(({ decision }) => decision.item);
  note(updates, await sendUpdates(context, `${chunk}-u`, items, mode));
  note(
    rehires,
    await sendRehires(
      context,
      `${chunk}-r`,
      rehires.map(({ decision }) => decision.item),
    ),
  );
  note(
    creates,
    await sendCreates(
      context,
      `${chunk}-c`,
      creates.map(({ decision }) => decision.item),
    ),
  );

  // A planned item would be planned twice.
  const canRetry = !isLast && !isPlan(context.plan);
  const applied: Applied = { outcomes: [], retry: [] };
  for (const [at, row] of rows.entries()) {
    const result = assumeFreed(sent[at], context);
    if (canRetry && result?.ok === false && retryableCodes.has(result.code)) applied.retry.push(row);
    else applied.outcomes.push(outcomeOf(row, decisions[at] as Decision, result, context.intended));
  }
  return applied;
}

/** A decision and the index of its row. */
interface At<Action> {
  readonly at: number;
  readonly decision: Extract<Decision, { readonly action: Action }>;
}

function recordIntent(
  { journal, dryRun }: ApplyContext,
  chunk: string,
  rows: readonly SyncRow[],
  some: readonly { readonly at: number; readonly decision: Decision }[],
): void {
  if (some.length === 0 || dryRun) return;
  journal.intend(
    chunk,
    some.map(({ at, decision }) => [rows[at]?.employeeID ?? '', kindOf(decision)]),
  );
}

/** Another row, or another caller, may still resolve these. */
const retryableCodes: ReadonlySet<string> = new Set([
  'USER_EMPLOYEE_ID_EXISTS',
  'USER_USERNAME_EXISTS',
  'USER_NOT_FOUND',
]);

function kindOf(decision: Decision): Kind {
  switch (decision.action) {
    case 'create':
      return 'created';
    case 'update':
    case 'rehire':
      return decision.kind;
    case 'none':
      return 'unchanged';
    case 'refuse':
      return 'failed';
  }
}

function outcomeOf(
  { row, employeeID }: SyncRow,
  decision: Decision,
  sent: Sent | undefined,
  intended: ReadonlyMap<string, Kind>,
): Outcome {
  const { action } = decision;
  if (action === 'refuse') return { row, employeeID, kind: 'failed', problem: decision.problem };
  const kept = action === 'create' ? undefined : decision.kept;
  if (action === 'none') {
    return { row, employeeID, kind: intended.get(employeeID) ?? 'unchanged', serial: decision.serial, kept };
  }
  const serial = action === 'create' ? undefined : decision.serial;
  const changed = action === 'create' ? undefined : decision.changed;
  if (sent?.ok) {
    const kind = sent.isPlanned ? 'planned' : kindOf(decision);
    return { row, employeeID, kind, serial: serial ?? sent.serial ?? undefined, changed, kept };
  }
  const { code = 'NOT_SENT', detail = 'The row was not sent.' } = sent ?? {};
  return { row, employeeID, kind: 'failed', serial, changed, problem: { code, detail } };
}

/** In a dry run, a value that an earlier row would free counts as free. */
function assumeFreed(sent: Sent | undefined, { dryRun, freed }: ApplyContext): Sent | undefined {
  if (!dryRun || !sent || sent.ok || sent.taken === undefined) return sent;
  const isFreed = freed.ids.has(sent.taken) || freed.usernames.has(sent.taken.toLowerCase());
  return isFreed ? { ok: true, serial: null } : sent;
}

/** A dry run changes nothing, so it has to remember what earlier rows would free. */
function noteFreed(
  { freed, fileIds }: ApplyContext,
  rows: readonly SyncRow[],
  changes: readonly (At<'update'> | At<'rehire'>)[],
  users: Users,
): void {
  for (const { at, decision } of changes) {
    const { employeeID, from } = rows[at] as SyncRow;
    const left = decision.changed.includes('employeeID') ? from : undefined;
    const user = users.get(left ?? employeeID);
    if (left !== undefined && fileIds.has(left)) freed.ids.add(left);
    if (user?.username && decision.changed.includes('username')) {
      freed.usernames.add(user.username.toLowerCase(), 1);
    }
  }
}
