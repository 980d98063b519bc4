import { type Decision, decide, type SyncRow } from '../decide.js';
import type { IdIndex } from '../file/id-index.js';
import type { Journal } from '../journal/journal.js';
import type { Kind, Outcome } from '../outcome.js';
import type { Users } from './lookup.js';
import { type SendOptions, type Sent, sendCreates, sendPatches, sendUpdates } from './send.js';

export interface ApplyContext extends SendOptions {
  readonly journal: Journal;
  /** Everybody in the file. */
  readonly people: IdIndex;
  /** What an interrupted sync was about to do; it may have been done. */
  readonly intended: ReadonlyMap<string, Kind>;
  /** What a preview has freed so far, as if it were no preview. */
  readonly freed: { readonly ids: Set<string>; readonly usernames: IdIndex };
}

export interface Applied {
  readonly outcomes: Outcome[];
  /** Rows that may get on once all others are done: something is in their way now. */
  readonly again: SyncRow[];
}

export interface ApplyOptions {
  /** There is no other time after this one. */
  readonly isLast?: boolean;
  /** Where everybody ends up is what counts, so that two can swap what only one can have. */
  readonly mode?: 'oneByOne' | 'finalState';
}

/** Decides what is to be done for each row, from what the service has of its people, and does it. */
export async function applyRows(
  context: ApplyContext,
  chunk: string,
  rows: readonly SyncRow[],
  users: Users,
  { isLast = false, mode = 'oneByOne' }: ApplyOptions = {},
): Promise<Applied> {
  const known = {
    user: (id: string) => (context.freed.ids.has(id) ? undefined : users.get(id)),
    inFile: (id: string) => context.people.has(id),
  };
  const decisions = rows.map((row) => decide(row, known));
  const updates: At<'update'>[] = [];
  const patches: At<'patch'>[] = [];
  const creates: At<'create'>[] = [];
  for (const [at, decision] of decisions.entries()) {
    if (decision.action === 'update') updates.push({ at, decision });
    else if (decision.action === 'patch') patches.push({ at, decision });
    else if (decision.action === 'create') creates.push({ at, decision });
  }
  intend(context, chunk, rows, [...updates, ...patches, ...creates]);
  if (context.dryRun) noteFreed(context, rows, [...updates, ...patches], users);

  const sent: (Sent | undefined)[] = [];
  const note = (some: readonly { readonly at: number }[], results: readonly Sent[]) => {
    for (const [index, { at }] of some.entries()) sent[at] = results[index];
  };
  const items = updates.map(({ decision }) => decision.item);
  note(updates, await sendUpdates(context, `${chunk}-u`, items, mode));
  note(
    patches,
    await sendPatches(
      context,
      patches.map(({ decision }) => decision),
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

  const applied: Applied = { outcomes: [], again: [] };
  for (const [at, row] of rows.entries()) {
    const result = seenInPreview(sent[at], context);
    if (!isLast && result?.ok === false && mayPass.has(result.code)) applied.again.push(row);
    else applied.outcomes.push(outcomeOf(row, decisions[at] as Decision, result, context.intended));
  }
  return applied;
}

/** A decision with the place of its row. */
interface At<Action> {
  readonly at: number;
  readonly decision: Extract<Decision, { readonly action: Action }>;
}

function intend(
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

/** Somebody else has what the row needs, or moved away: another row, or another caller, may put that right. */
const mayPass: ReadonlySet<string> = new Set([
  'USER_EMPLOYEE_ID_EXISTS',
  'USER_USERNAME_EXISTS',
  'USER_NOT_FOUND',
]);

function kindOf(decision: Decision): Kind {
  switch (decision.action) {
    case 'create':
      return 'created';
    case 'update':
    case 'patch':
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
  if (action === 'none') {
    return { row, employeeID, kind: intended.get(employeeID) ?? 'unchanged', serial: decision.serial };
  }
  const serial = action === 'create' ? undefined : decision.serial;
  const changed = action === 'create' ? undefined : decision.changed;
  if (sent?.ok)
    return { row, employeeID, kind: kindOf(decision), serial: serial ?? sent.serial ?? undefined, changed };
  const { code = 'NOT_SENT', detail = 'It was not sent.' } = sent ?? {};
  return { row, employeeID, kind: 'failed', serial, changed, problem: { code, detail } };
}

/** What is in the way of a row now will be gone once the rows before it are done. */
function seenInPreview(sent: Sent | undefined, { dryRun, freed }: ApplyContext): Sent | undefined {
  if (!dryRun || !sent || sent.ok || sent.taken === undefined) return sent;
  const isFreed = freed.ids.has(sent.taken) || freed.usernames.has(sent.taken.toLowerCase());
  return isFreed ? { ok: true, serial: null } : sent;
}

/** A preview changes nothing, so it has to remember what the rows before have given up. */
function noteFreed(
  { freed, people }: ApplyContext,
  rows: readonly SyncRow[],
  changes: readonly (At<'update'> | At<'patch'>)[],
  users: Users,
): void {
  for (const { at, decision } of changes) {
    const { employeeID, from } = rows[at] as SyncRow;
    const left = decision.kind === 'renamed' ? from : undefined;
    const user = users.get(left ?? employeeID);
    if (left !== undefined && people.has(left)) freed.ids.add(left);
    if (user?.username && decision.changed.includes('username')) {
      freed.usernames.add(user.username.toLowerCase(), 1);
    }
  }
}
