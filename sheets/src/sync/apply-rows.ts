import { callKey, callsFor, type ItemResult, isRetryable, outcomeOf } from './calls.js';
import { decide, type KnownUser } from './decide.js';
import type { FreedNames } from './freed-names.js';
import type { Intent } from './journal.js';
import type { SyncOutcome } from './outcomes.js';
import type { SyncRow } from './rows.js';
import type { KnownUsers, SyncRun, SyncTarget } from './sync-run.js';

export interface Applied {
  readonly outcomes: SyncOutcome[];
  /** Rows that may succeed once all others are done. */
  readonly retry: SyncRow[];
}

export interface ApplyOptions {
  /** No retry follows. */
  readonly isLast: boolean;
  readonly mode: Parameters<SyncTarget['send']>[2];
  /** In a dry run, what earlier rows would have freed. */
  readonly freed: FreedNames;
}

/** Decides what to do for each row, given its users, and does it. */
export async function applyRows(
  run: SyncRun,
  chunk: string,
  rows: readonly SyncRow[],
  users: KnownUsers,
  { isLast, mode, freed }: ApplyOptions,
): Promise<Applied> {
  const { dryRun, resumed } = run;
  const { ids } = run.survey;
  const known = {
    rehire: run.rehire,
    isProtected: (user: KnownUser) => run.isProtected(user),
    user: (id: string) => (freed.hasId(id) ? undefined : users.get(id)),
    inFile: (id: string) => ids.has(id),
  };
  const applied = rows.map((row) => ({ row, decision: decide(row, known) }));
  const decisions = applied.map(({ decision }) => decision);
  const intents = applied.flatMap(({ row, decision }): Intent[] =>
    decision.action === 'send' ? [[row.employeeID, decision.kind]] : [],
  );
  if (intents.length > 0 && !dryRun) await run.journal.intend(chunk, intents);
  for (const decision of dryRun ? decisions : []) {
    if (decision.action === 'send') freed.note(decision, users.get(decision.item.employeeID), ids);
  }

  const results: (ItemResult | undefined)[] = [];
  for (const call of callsFor(decisions)) {
    const sent = await run.target.send(callKey(chunk, call), call, mode);
    for (const [index, at] of call.at.entries()) results[at] = sent[index];
  }

  const canRetry = run.canRetry && !isLast;
  const outcomes: SyncOutcome[] = [];
  const retry: SyncRow[] = [];
  for (const [at, { row, decision }] of applied.entries()) {
    const result = dryRun ? freed.assume(row, results[at]) : results[at];
    if (canRetry && isRetryable(result)) retry.push(row);
    else outcomes.push(outcomeOf(row, decision, result, resumed?.intended.get(row.employeeID)));
  }
  return { outcomes, retry };
}
