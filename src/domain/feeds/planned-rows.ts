import { createHash } from 'node:crypto';
import {
  callsFor,
  type Decision,
  decide,
  type FileRow,
  type ItemResult,
  outcomeOf,
  type Row,
  readEffectiveDate,
  type SyncOutcome,
  type SyncRow,
} from '#sheets';
import { isWaiting } from '../../contract/enums.js';
import { getCall } from '../../storage/changes/calls.js';
import { cancelPlannedCall, insertCallEvent } from '../../storage/changes/planned-calls.js';
import { type Database, transaction } from '../../storage/database.js';
import {
  deleteFeedPlan,
  type FeedPlan,
  listFeedPlans,
  storeFeedPlan,
} from '../../storage/feeds/feed-plans.js';
import { changeOrigin } from '../caller.js';
import { type PlanContext, planCall } from '../planned/plan-call.js';
import { dateIn, startOfDay } from '../start-of-day.js';
import { previewUpdates } from '../users/update-users-bulk.js';
import type { FeedTable } from './feed-table.js';
import { type FeedTargetContext, type FeedTargetRun, lookup, readItems, resultOf } from './feed-target.js';

export interface PlannedRowsContext extends FeedTargetContext, PlanContext {
  readonly timeZone: string;
}

/** Rows of a file that take effect later, by day. */
export interface LaterRows {
  readonly rows: AsyncIterable<Row>;
  readonly byDay: ReadonlyMap<string, readonly Row[]>;
}

/** Keeps rows of later days back, so that only the others are applied now. A day that can't be read is no later one. */
export function setAside(
  { rows, headings, effectiveDate }: Pick<FeedTable, 'rows' | 'headings' | 'effectiveDate'>,
  timeZone: string,
): LaterRows {
  const byDay = new Map<string, Row[]>();
  if (effectiveDate === undefined) return { rows, byDay };
  const today = dateIn(Date.now(), timeZone);
  async function* now(column: number): AsyncGenerator<Row> {
    for await (const row of rows) {
      const { date, problem } = { date: undefined, ...readEffectiveDate(row, column, headings) };
      const others = problem || date === undefined ? undefined : (byDay.get(date) ?? []);
      if (others === undefined || date === undefined || date <= today) yield row;
      else byDay.set(date, [...others, row]);
    }
  }
  return { rows: now(effectiveDate), byDay };
}

interface LaterWork {
  readonly target: FeedTargetRun;
  readonly roleHolders: ReadonlySet<string>;
  readonly read: (row: Row) => FileRow;
}

/**
 * Plans the rows of later days as calls, one per day. What was planned for the same rows before stays, and what the file no
 * longer says is cancelled. Returns the outcomes of the rows.
 */
export async function planLater(
  context: PlannedRowsContext,
  work: LaterWork,
  { byDay }: LaterRows,
): Promise<SyncOutcome[]> {
  const { database } = context;
  const { feed } = work.target;
  const known = new Map((await listFeedPlans(database.pool, feed)).map((plan) => [plan.day, plan]));
  const outcomes: SyncOutcome[] = [];
  for (const [date, rows] of byDay) {
    outcomes.push(...(await planDay(context, work, date, rows, known.get(date))));
    known.delete(date);
  }
  const today = dateIn(Date.now(), context.timeZone);
  for (const plan of known.values()) {
    // Those of the past have run, or have expired.
    if (plan.day > today) await cancelPlan(database, work.target, plan);
    await transaction(database, (tx) => deleteFeedPlan(tx, feed, plan.day));
  }
  return outcomes;
}

async function planDay(
  context: PlannedRowsContext,
  { target, roleHolders, read }: LaterWork,
  date: string,
  rows: readonly Row[],
  known: FeedPlan | undefined,
): Promise<SyncOutcome[]> {
  const all = rows.map(read);
  const valid = all.flatMap((each): SyncRow[] => ('sync' in each ? [each.sync] : []));
  const invalid = all.flatMap(({ row, employeeID = null, problem }): SyncOutcome[] =>
    problem ? [{ row, employeeID, kind: 'failed', problem }] : [],
  );
  const ids = valid.flatMap(({ employeeID, from }) =>
    from === undefined ? [employeeID] : [employeeID, from],
  );
  const users = await lookup(context, target, ids);
  const inFile = new Set(valid.map(({ employeeID }) => employeeID));
  const decisions = valid.map((row) =>
    decide(row, {
      rehire: target.rules.rehire === true,
      isProtected: ({ serial }) => roleHolders.has(serial),
      user: (id) => users.get(id),
      inFile: (id) => inFile.has(id),
    }),
  );
  const results: (ItemResult | undefined)[] = [];
  const hash = hashOf(decisions);
  const isCurrent = known?.hash === hash && (await areWaiting(context.database, known));
  if (!isCurrent && known) await cancelPlan(context.database, target, known);
  const callIds: string[] = [];
  for (const call of callsFor(decisions)) {
    const { parsed, options } = await readItems(context, target, call.items, call, 'finalState');
    const preview = await previewUpdates(context, parsed, options);
    if (!preview.ok) continue;
    for (const [index, at] of call.at.entries()) {
      const outcome = preview.outcomes[index];
      const result = outcome && resultOf(outcome);
      results[at] = result?.ok ? { ...result, isPlanned: true } : result;
    }
    if (isCurrent) continue;
    const employeeIDs = call.items.map(({ employeeID }) => employeeID);
    const { caller, ...stored } = options;
    const planned = await planCall(
      context,
      { kind: 'upsert-bulk', options: stored, items: parsed, employeeIDs, outcomes: preview.outcomes },
      {
        effectiveAt: startOfDay(date, context.timeZone).toISOString(),
        needsApproval: false,
        ifChanged: 'skip',
      },
      { caller, key: undefined, label: target.label },
    );
    if (planned.ok) callIds.push(planned.callId);
  }
  if (!isCurrent) {
    await transaction(context.database, (tx) => storeFeedPlan(tx, target.feed, { day: date, hash, callIds }));
  }
  return [...invalid, ...valid.map((row, at) => outcomeOf(row, decisions[at] as Decision, results[at]))];
}

function hashOf(decisions: readonly Decision[]): string {
  const items = decisions.map((decision) => (decision.action === 'send' ? decision.item : null));
  return createHash('sha256').update(JSON.stringify(items)).digest('hex');
}

async function areWaiting({ pool }: Database, { callIds }: FeedPlan): Promise<boolean> {
  for (const id of callIds) {
    const call = await getCall(pool, id);
    if (!call || !isWaiting(call.state)) return false;
  }
  return true;
}

/** Those that still wait. */
async function cancelPlan(
  database: Database,
  { caller }: FeedTargetRun,
  { callIds }: FeedPlan,
): Promise<void> {
  for (const id of callIds) {
    await transaction(database, async (tx) => {
      const call = await getCall(tx, id);
      if (!call || !isWaiting(call.state)) return;
      await cancelPlannedCall(tx, id, caller.actor);
      await insertCallEvent(tx, 'call.cancelled', changeOrigin(caller, id));
    });
  }
}
