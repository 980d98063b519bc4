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
  type SyncCall,
  type SyncItem,
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
  listPlannedCallsOf,
  listPlannedIds,
  storeFeedPlan,
  unnotedPlans,
} from '../../storage/feeds/feed-plans.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { type Caller, changeOrigin } from '../caller.js';
import { type PlanContext, type PlannedCall, planCall } from '../planned/plan-call.js';
import { dateIn, startOfDay } from '../start-of-day.js';
import { FeedFailed } from './feed-failed.js';
import type { FeedTable } from './feed-table.js';
import {
  type FeedTargetContext,
  type FeedTargetRun,
  lookup,
  previewItems,
  refusalsOf,
  resultOf,
} from './feed-target.js';

export interface PlannedRowsContext extends FeedTargetContext, PlanContext {
  readonly timeZone: string;
}

/** Rows of a file that take effect later, by day. */
export interface LaterRows {
  readonly rows: AsyncIterable<Row>;
  readonly byDay: ReadonlyMap<string, readonly Row[]>;
}

/**
 * Sets rows of later days aside, so that only the others are applied now. A run that is measured gets them as well. A day
 * that can't be read is no later one.
 */
export function setAside(
  { rows, headings, effectiveDate }: Pick<FeedTable, 'rows' | 'headings' | 'effectiveDate'>,
  { timeZone, yieldsLater }: { readonly timeZone: string; readonly yieldsLater: boolean },
): LaterRows {
  const byDay = new Map<string, Row[]>();
  if (effectiveDate === undefined) return { rows, byDay };
  const today = dateIn(Date.now(), timeZone);
  let later = 0;
  async function* now(column: number): AsyncGenerator<Row> {
    for await (const row of rows) {
      const { date, problem } = { date: undefined, ...readEffectiveDate(row, column, headings) };
      if (problem || date === undefined || date <= today) {
        yield row;
        continue;
      }
      if (++later > laterRowsMax) throw tooManyLater();
      const others = byDay.get(date);
      if (others) others.push(row);
      else byDay.set(date, [row]);
      if (yieldsLater) yield row;
    }
  }
  return { rows: now(effectiveDate), byDay };
}

/** They are kept in memory until all others are applied. */
const laterRowsMax = 50_000;

function tooManyLater(): FeedFailed {
  return new FeedFailed(
    'TOO_MANY_LATER_ROWS',
    `More than ${laterRowsMax.toLocaleString('en')} rows take effect on later days. Check the column with the day.`,
    { max: laterRowsMax },
  );
}

/** How many changes the feed has planned for later days, and how many of them the file no longer contains. */
export async function countWithdrawals(
  { database, timeZone }: PlannedRowsContext,
  feed: string,
  { byDay, read }: LaterRows & Pick<LaterWork, 'read'>,
): Promise<{ readonly planned: number; readonly withdrawn: number }> {
  const planned = await listPlannedIds(database.pool, feed, dateIn(Date.now(), timeZone));
  const inFile = new Set(
    [...byDay.values()].flat().flatMap((row) => {
      const { sync } = { sync: undefined, ...read(row) };
      return sync ? [sync.employeeID, sync.from] : [];
    }),
  );
  return { planned: planned.length, withdrawn: planned.filter((id) => !inFile.has(id)).length };
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
  await cancelCalls(
    database,
    work.target,
    await unnotedPlans(database.pool, feed, work.target.caller.requestId),
  );
  const known = new Map((await listFeedPlans(database.pool, feed)).map((plan) => [plan.day, plan]));
  const outcomes: SyncOutcome[] = [];
  for (const [date, rows] of byDay) {
    outcomes.push(...(await planDay(context, work, date, rows, known.get(date))));
    known.delete(date);
  }
  const today = dateIn(Date.now(), context.timeZone);
  for (const plan of known.values()) {
    // Those of the past have run, or have expired.
    if (plan.day > today) await cancelCalls(database, work.target, plan.callIds);
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
  const calls = await allowedCalls(context, target, decisions, results);
  const hash = hashOf(calls);
  const isCurrent = known?.hash === hash && (await areWaiting(context.database, known));
  if (!isCurrent && known) await cancelCalls(context.database, target, known.callIds);
  const callIds: string[] = [];
  let isComplete = true;
  for (const call of calls) {
    const preview = await previewItems(context, target, call.items, call, 'finalState');
    const planned = isCurrent ? undefined : await planPreviewed(context, target, date, call.items, preview);
    if (planned?.ok) callIds.push(planned.callId);
    const refused = planned && !planned.ok ? planned.failure : undefined;
    if (refused) isComplete = false;
    for (const [index, at] of call.at.entries()) {
      const result = resultOf(preview.outcomes[index] as ItemOutcome); // one per item
      if (result.ok && refused) results[at] = { ok: false, code: refused.error, detail: refused.detail };
      else results[at] = result.ok ? { ...result, isPlanned: true } : result;
    }
  }
  if (!isCurrent) {
    // What could not be planned is tried again by the next run.
    const plan = { day: date, hash: isComplete ? hash : incompleteHash, callIds };
    await transaction(context.database, (tx) => storeFeedPlan(tx, target.feed, plan));
  }
  return [...invalid, ...valid.map((row, at) => outcomeOf(row, decisions[at] as Decision, results[at]))];
}

/** What the rules of the feed allow. Notes the results of the other items. */
async function allowedCalls(
  context: PlannedRowsContext,
  target: FeedTargetRun,
  decisions: readonly Decision[],
  results: (ItemResult | undefined)[],
): Promise<SyncCall[]> {
  const calls: SyncCall[] = [];
  for (const call of callsFor(decisions)) {
    const refusals = await refusalsOf(context, target, call);
    for (const [index, at] of call.at.entries()) results[at] = refusals[index];
    const isOpen = (_: unknown, index: number) => refusals[index] === undefined;
    const items = call.items.filter(isOpen);
    if (items.length > 0) calls.push({ ...call, items, at: call.at.filter(isOpen) });
  }
  return calls;
}

function planPreviewed(
  context: PlannedRowsContext,
  { label }: FeedTargetRun,
  date: string,
  items: readonly SyncItem[],
  { parsed, options, outcomes }: Awaited<ReturnType<typeof previewItems>>,
): Promise<PlannedCall> {
  const { caller, ...stored } = options;
  const employeeIDs = items.map(({ employeeID }) => employeeID);
  const effectiveAt = startOfDay(date, context.timeZone).toISOString();
  return planCall(
    context,
    { kind: 'upsert-bulk', options: stored, items: parsed, employeeIDs, outcomes },
    { effectiveAt, needsApproval: false, ifChanged: 'skip' },
    { caller, key: undefined, label },
  );
}

const incompleteHash = 'incomplete';

function hashOf(calls: readonly SyncCall[]): string {
  const items = calls.map(({ create, items }) => [create, items]);
  return createHash('sha256').update(JSON.stringify(items)).digest('hex');
}

async function areWaiting({ pool }: Database, { callIds }: FeedPlan): Promise<boolean> {
  for (const id of callIds) {
    const call = await getCall(pool, id);
    if (!call || !isWaiting(call.state)) return false;
  }
  return true;
}

/** Withdraws what a run has planned. What earlier or later runs have planned stays. */
export async function withdrawPlansOf(
  database: Database,
  { feed, id }: { readonly feed: string; readonly id: string },
  caller: Caller,
): Promise<void> {
  const ofRun = new Set(await listPlannedCallsOf(database.pool, id));
  await cancelCalls(database, { caller }, [...ofRun]);
  for (const { day, callIds } of await listFeedPlans(database.pool, feed)) {
    if (!callIds.some((callId) => ofRun.has(callId))) continue;
    await transaction(database, (tx) => deleteFeedPlan(tx, feed, day));
  }
}

/** Withdraws everything that the feed has planned. */
export async function withdrawPlans(database: Database, feed: string, caller: Caller): Promise<void> {
  for (const { day, callIds } of await listFeedPlans(database.pool, feed)) {
    await cancelCalls(database, { caller }, callIds);
    await transaction(database, (tx) => deleteFeedPlan(tx, feed, day));
  }
}

/** Those that still wait. */
async function cancelCalls(
  database: Database,
  { caller }: Pick<FeedTargetRun, 'caller'>,
  callIds: readonly string[],
): Promise<void> {
  for (const id of callIds) {
    await transaction(database, async (tx) => {
      const call = await getCall(tx, id);
      if (!call || !isWaiting(call.state)) return;
      await cancelPlannedCall(tx, id, { actor: caller.actor, reason: null, isRejection: false });
      await insertCallEvent(tx, 'call.cancelled', changeOrigin(caller, id));
    });
  }
}
