import { type Decision, decide, type SyncRow, type User } from './decide.js';
import type { IdIndex } from './id-index.js';
import type { Journal } from './journal.js';
import type { Kind, Outcome } from './outcome.js';
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
  const decided = rows.map((row) => ({ row, decision: decide(row, known) }));
  const of = <Action extends Decision['action']>(action: Action) =>
    decided.filter((each): each is Decided<Action> => each.decision.action === action);
  const [updates, patches, creates] = [of('update'), of('patch'), of('create')];

  const intends = [...updates, ...patches, ...creates].map(
    ({ row, decision }) => [row.employeeID, kindOf(decision)] as const,
  );
  if (intends.length > 0 && !context.dryRun) context.journal.intend(chunk, intends);
  if (context.dryRun) noteFreed(context, [...updates, ...patches], users);

  const sent = new Map<SyncRow, Sent>();
  const note = (some: readonly { readonly row: SyncRow }[], results: readonly Sent[]) => {
    for (const [at, { row }] of some.entries()) sent.set(row, results[at] as Sent);
  };
  note(
    updates,
    await sendUpdates(
      context,
      `${chunk}-u`,
      updates.map(({ decision }) => decision.item),
      mode,
    ),
  );
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
  for (const { row, decision } of decided) {
    const result = seenInPreview(sent.get(row), context);
    if (!isLast && result?.ok === false && mayPass.has(result.code)) applied.again.push(row);
    else applied.outcomes.push(outcomeOf(row, decision, result, context.intended));
  }
  return applied;
}

type Decided<Action> = {
  readonly row: SyncRow;
  readonly decision: Extract<Decision, { readonly action: Action }>;
};

/** Somebody else has what the row needs, or moved away: another row, or another caller, may put that right. */
const mayPass: ReadonlySet<string> = new Set([
  'USER_EMPLOYEE_ID_EXISTS',
  'USER_USERNAME_EXISTS',
  'USER_NOT_FOUND',
]);

function idsOf(rows: readonly SyncRow[]): string[] {
  const ids = new Set<string>();
  for (const { employeeID, from } of rows) {
    ids.add(employeeID);
    if (from !== undefined) ids.add(from);
  }
  return [...ids];
}

/** What the service has, by employee ID. */
export type Users = ReadonlyMap<string, User>;

export function usersOf(context: ApplyContext, rows: readonly SyncRow[]): Promise<Users> {
  return lookup(context, idsOf(rows));
}

export async function lookup(
  { rollcall, signal }: Pick<SendOptions, 'rollcall' | 'signal'>,
  employeeIDs: string[],
): Promise<Users> {
  if (employeeIDs.length === 0) return new Map();
  const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs }, retry: { signal } });
  return new Map(body.data.items.map((user) => [user.employeeID, user]));
}

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
  const where = { row, employeeID };
  if (decision.action === 'refuse') return { ...where, kind: 'failed', problem: decision.problem };
  if (decision.action === 'none') {
    return { ...where, kind: intended.get(employeeID) ?? 'unchanged', serial: decision.serial };
  }
  const kind = kindOf(decision);
  const known = decision.action === 'create' ? {} : { serial: decision.serial, changed: decision.changed };
  if (sent?.ok) return { ...where, kind, ...known, ...(sent.serial ? { serial: sent.serial } : {}) };
  const { code = 'NOT_SENT', detail = 'It was not sent.' } = sent ?? {};
  return { ...where, kind: 'failed', ...known, problem: { code, detail } };
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
  changes: readonly (Decided<'update'> | Decided<'patch'>)[],
  users: Users,
): void {
  for (const { row, decision } of changes) {
    const user = users.get(decision.kind === 'renamed' && row.from !== undefined ? row.from : row.employeeID);
    if (decision.kind === 'renamed' && row.from !== undefined && people.has(row.from))
      freed.ids.add(row.from);
    if (user?.username && decision.changed.includes('username'))
      freed.usernames.add(user.username.toLowerCase(), 1);
  }
}
