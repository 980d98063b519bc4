import {
  callsFor,
  decide,
  type FreedNames,
  type IdIndex,
  type ItemResult,
  isRetryable,
  type KnownUser,
  type OutcomeKind,
  outcomeOf,
  type SyncOutcome,
  type SyncRow,
} from '#sheets';
import { isPlan } from '../../planning/options.js';
import type { Journal } from '../journal/journal.js';
import type { LookupOptions, Users } from './lookup.js';
import { type SendOptions, sendCall } from './send.js';

export interface ApplyContext extends SendOptions, LookupOptions {
  /** Serials of users whose sign-in data this caller may not change. */
  readonly protectedUsers: ReadonlySet<string>;
  readonly journal: Journal;
  /** Every employee ID in the file. */
  readonly fileIds: IdIndex;
  /** What an interrupted sync was about to do, and may have done. */
  readonly intended: ReadonlyMap<string, OutcomeKind>;
  /** In a dry run, what the rows would have freed so far. */
  readonly freed: FreedNames;
}

export interface Applied {
  readonly outcomes: SyncOutcome[];
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
  const { dryRun, freed, fileIds, intended } = context;
  const known = {
    rehire: context.rehire,
    isProtected: ({ serial }: KnownUser) => context.protectedUsers.has(serial),
    user: (id: string) => (freed.hasId(id) ? undefined : users.get(id)),
    inFile: (id: string) => fileIds.has(id),
  };
  const applied = rows.map((row) => ({ row, decision: decide(row, known) }));
  const decisions = applied.map(({ decision }) => decision);
  const intents = applied.flatMap(({ row, decision }) =>
    decision.action === 'send' ? [[row.employeeID, decision.kind] as const] : [],
  );
  if (intents.length > 0 && !dryRun) context.journal.intend(chunk, intents);
  for (const decision of dryRun ? decisions : []) {
    if (decision.action === 'send') freed.note(decision, users.get(decision.item.employeeID), fileIds);
  }

  const results: (ItemResult | undefined)[] = [];
  for (const call of callsFor(decisions)) {
    const sent = await sendCall(context, chunk, call, mode);
    for (const [index, at] of call.at.entries()) results[at] = sent[index];
  }

  // A planned item would be planned twice.
  const canRetry = !isLast && !isPlan(context.plan);
  const outcomes: SyncOutcome[] = [];
  const retry: SyncRow[] = [];
  for (const [at, { row, decision }] of applied.entries()) {
    const result = dryRun ? freed.assume(row, results[at]) : results[at];
    if (canRetry && isRetryable(result)) retry.push(row);
    else outcomes.push(outcomeOf(row, decision, result, intended.get(row.employeeID)));
  }
  return { outcomes, retry };
}
