import type { CallLabel, PatchPart } from '../../contract/calls.js';
import { type CallKind, type CallState, type IfChanged, waitingStates } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { whereAll } from '../sql.js';
import { type ChunkItems, chunkItemValues } from './call-items.js';
import type { ChangeOrigin } from './changes.js';

/** A bulk call as its runner knows it. */
export interface RunningCall {
  readonly id: string;
  /** Only the latest claim may write. */
  readonly claim: number;
  readonly kind: CallKind;
  readonly items: number;
  readonly undoes: string | null;
  readonly origin: ChangeOrigin;
  readonly label?: CallLabel | undefined;
  readonly replaces?: SerialReplacement | undefined;
}

/** One serial of an organization or a tag takes the place of another, at every user. */
export interface SerialReplacement {
  readonly from: string;
  readonly to: string;
}

/** What became of users, each counted once. Everybody else who was changed was merely changed. */
export interface StatusCounts {
  readonly created: number;
  /** Also those who were rehired. */
  readonly reactivated: number;
  readonly deactivated: number;
  /** Erased, or no longer there because their creation was undone. */
  readonly removed: number;
}

export interface CallProgress {
  readonly succeeded: number;
  readonly failed: number;
  readonly changes: number;
  readonly statuses: StatusCounts;
}

const newCallColumns = `id, claim, kind, items, undoes, actor_kind, actor_id, request_id, source, note, replaced_serial,
  replacement_serial, patch`;

function newCallValues({ id, claim, kind, items, undoes, origin, label, replaces }: RunningCall): unknown[] {
  const { actor, requestId } = origin;
  return [
    ...[id, claim, kind, items, undoes, actor?.kind, actor?.id, requestId],
    ...[label?.source ?? null, label?.note ?? null, replaces?.from ?? null, replaces?.to ?? null],
    label?.patch ? JSON.stringify(label.patch) : null,
  ];
}

/** Records a call that is to run later. */
export async function insertWaitingCall(
  tx: Executor,
  call: RunningCall,
  state: (typeof waitingStates)[number],
): Promise<void> {
  await tx.query(
    `INSERT INTO calls (${newCallColumns}, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14)`,
    [...newCallValues(call), state],
  );
}

/** Records a call before anything of it is done. */
export async function insertCall(tx: Executor, call: RunningCall, leaseMs: number): Promise<void> {
  await tx.query({
    name: 'insert-call',
    text: `INSERT INTO calls (${newCallColumns}, state, claimed_until)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, 'running',
             now() + make_interval(secs => $14::float8 / 1000))`,
    values: [...newCallValues(call), leaseMs],
  });
}

/**
 * Records a chunk and the outcomes of its items within its transaction. This is the last statement because concurrent
 * chunks wait for each other here. The first chunk inserts the row and the others add to it. The chunk that completes the call adds a row to the
 * change log for those who follow it. Returns false if another node has taken over the call.
 */
export async function advanceCall(
  tx: Executor,
  call: RunningCall,
  { succeeded, failed, changes, statuses }: CallProgress,
  items: ChunkItems,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'advance-call',
    text: `WITH part AS (
             SELECT $14::integer AS succeeded, $15::integer AS failed, $16::integer AS changes,
                    now() + make_interval(secs => $17::float8 / 1000) AS claimed_until,
                    $18::integer AS created, $19::integer AS reactivated, $20::integer AS deactivated, $21::integer AS removed),
           call AS (
             INSERT INTO calls (${newCallColumns}, succeeded, failed, changes, ${statusColumns.join(', ')}, state,
               claimed_until, finished_at)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, succeeded, failed, changes,
               ${statusColumns.join(', ')},
               ${stateAfter('succeeded + failed', '$4')}
             FROM part
             ON CONFLICT (id) DO UPDATE SET
               succeeded = calls.succeeded + excluded.succeeded, failed = calls.failed + excluded.failed,
               changes = calls.changes + excluded.changes, ${statusColumns.map(addedStatuses).join(', ')},
               (state, claimed_until, finished_at) = (
                 SELECT ${stateAfter('calls.succeeded + calls.failed + part.succeeded + part.failed', 'calls.items')} FROM part)
             WHERE calls.claim = excluded.claim
             RETURNING id, state, kind, items, succeeded, failed, changes, undoes),
           outcomes AS (
             INSERT INTO call_items (call_id, first_item, serials, employee_ids, failures, mentions)
             SELECT id, $22::integer, $23::uuid[], $24::text[], $25::json, $26::bigint[] FROM call),
           done AS (
             INSERT INTO changes (kind, call_id, actor_kind, actor_id, request_id, fields)
             SELECT 'call', id, $6, $7, $8, json_build_object('kind', kind, 'items', items, 'succeeded', succeeded,
               'failed', failed, 'changes', changes, 'undoes', undoes)
             FROM call WHERE state = 'completed')
           SELECT FROM call`,
    values: [
      ...newCallValues(call),
      ...[succeeded, failed, changes, leaseMs],
      ...statusColumns.map((column) => statuses[column]),
      ...chunkItemValues(items),
    ],
  });
  return rowCount === 1;
}

export const statusColumns = ['created', 'reactivated', 'deactivated', 'removed'] as const;

/** A call that was recorded before anything of it was done, and has no items done, counts from zero. */
const addedStatuses = (column: string) =>
  `${column} = CASE WHEN calls.succeeded + calls.failed = 0 THEN 0 ELSE calls.${column} END + excluded.${column}`;

/** A call is completed once every item has its outcome, whichever chunk was the last. */
function stateAfter(itemsDone: string, items: string): string {
  return `CASE WHEN ${itemsDone} = ${items} THEN 'completed' ELSE 'running' END,
          CASE WHEN ${itemsDone} < ${items} THEN claimed_until END,
          CASE WHEN ${itemsDone} = ${items} THEN now() END`;
}

type Claimed = Pick<RunningCall, 'id' | 'claim'>;

/** Renews the lease while the node runs the call. */
export async function renewCall(executor: Executor, { id, claim }: Claimed, leaseMs: number): Promise<void> {
  await executor.query(
    `UPDATE calls SET claimed_until = now() + make_interval(secs => $3::float8 / 1000)
     WHERE id = $1 AND claim = $2 AND state = 'running'`,
    [id, claim, leaseMs],
  );
}

/** The node stops running the call; what was committed stays. */
export async function interruptCall(executor: Executor, { id, claim }: Claimed): Promise<void> {
  await executor.query(
    `UPDATE calls SET state = 'interrupted', claimed_until = NULL WHERE id = $1 AND claim = $2 AND state = 'running'`,
    [id, claim],
  );
}

/** For a call that did nothing and will not. */
export async function deleteCall(executor: Executor, { id, claim }: Claimed): Promise<void> {
  await executor.query('DELETE FROM calls WHERE id = $1 AND claim = $2', [id, claim]);
}

export interface TakenOverCall {
  readonly claim: number;
  readonly origin: ChangeOrigin;
}

/** Claims a call whose lease has expired, in order to resume it. */
export async function takeOverCall(
  tx: Executor,
  id: string,
  leaseMs: number,
): Promise<TakenOverCall | undefined> {
  const { rows } = await tx.query<{ claim: number; actorKind: string; actorId: string; requestId: string }>(
    `UPDATE calls SET claim = claim + 1, state = 'running', claimed_until = now() + make_interval(secs => $2::float8 / 1000)
     WHERE id = $1 AND state IN ('running', 'interrupted') AND (claimed_until IS NULL OR claimed_until <= now())
       AND NOT EXISTS (SELECT FROM planned_calls WHERE call_id = $1)
     RETURNING claim, actor_kind AS "actorKind", actor_id AS "actorId", request_id AS "requestId"`,
    [id, leaseMs],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { claim, actorKind, actorId, requestId } = row;
  return { claim, origin: { actor: { kind: actorKind, id: actorId }, requestId, callId: id } };
}

/** Prevents the call from being resumed. A node that still runs it loses its claim. */
export async function closeCall(tx: Executor, id: string): Promise<void> {
  await tx.query(
    `UPDATE calls SET claim = claim + 1, state = 'interrupted', claimed_until = NULL
     WHERE id = $1 AND state IN ('running', 'interrupted')`,
    [id],
  );
}

export interface Call {
  readonly id: string;
  readonly kind: CallKind;
  readonly state: CallState;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly requestId: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly items: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly changes: number;
  readonly undoes: string | null;
  readonly undoneBy: string | null;
  readonly source: string | null;
  readonly note: string | null;
  readonly replaces: SerialReplacement | null;
  /** The call that this one undoes, as far as it is still known. */
  readonly undone: UndoneCall | null;
  readonly patch: readonly PatchPart[] | null;
  readonly plan: Plan | null;
}

export type UndoneCall = Pick<Call, 'kind' | 'source' | 'note' | 'items' | 'replaces'>;

/** When and how a planned call runs. */
export interface Plan {
  readonly plannedAt: string;
  readonly effectiveAt: string | null;
  /** The day that ends when it runs, if it was planned as that. */
  readonly lastWorkingDay: string | null;
  readonly expiresAt: string | null;
  readonly ifChanged: IfChanged;
  readonly author: CallActor;
  readonly needsApproval: boolean;
  readonly approvedAt: string | null;
  readonly approvedBy: CallActor | null;
  readonly cancelledAt: string | null;
  readonly cancelledBy: CallActor | null;
  readonly cancelReason: string | null;
  /** Cancelled by someone else while it awaited approval. */
  readonly isRejected: boolean;
  /** How many users it creates, deactivates and so on; null if an earlier version planned it. */
  readonly effects: Readonly<Record<string, number>> | null;
  readonly needsTakeover: boolean;
  /** Which users it was planned for, as the query of the list of users. */
  readonly filter: string | null;
}

export interface CallActor {
  readonly kind: string;
  readonly id: string;
}

interface CallRow extends Omit<Call, 'startedAt' | 'finishedAt'> {
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** A condition on `calls`: the call may still run. */
export const isWaiting = `state IN (${waitingStates.map((each) => `'${each}'`).join(', ')})`;

/** A node that died leaves its calls `running`; the expired lease shows that they are not. */
export const state = `CASE WHEN state = 'running' AND claimed_until <= now() THEN 'interrupted'
  WHEN state = 'completed' THEN 'done' ELSE state END`;

const actorIn = (who: string) =>
  `CASE WHEN ${who}_id IS NOT NULL THEN json_build_object('kind', ${who}_kind, 'id', ${who}_id) END`;

/** A condition on `planned_calls` and `calls`. Only whoever requested or took over a call can't decide about it. */
export const isRejected = `(cancelled_at IS NOT NULL AND needs_approval AND approved_at IS NULL
  AND (canceller_kind, canceller_id) NOT IN ((author_kind, author_id), (calls.actor_kind, calls.actor_id)))`;

/** An expression over `planned_calls`. */
export const lastWorkingDay = `options->>'lastWorkingDay'`;

/** A filter helps to decide about a call. Once it has run, its items say more. */
const planObject = `json_build_object('plannedAt', created_at, 'effectiveAt', effective_at,
  'lastWorkingDay', ${lastWorkingDay}, 'expiresAt', expires_at, 'ifChanged', if_changed, 'author', ${actorIn('author')}, 'needsApproval', needs_approval, 'approvedAt', approved_at,
  'approvedBy', ${actorIn('approver')}, 'cancelledAt', cancelled_at, 'cancelledBy', ${actorIn('canceller')},
  'cancelReason', cancel_reason, 'isRejected', ${isRejected}, 'effects', effects,
  'needsTakeover', needs_takeover, 'filter', CASE WHEN calls.${isWaiting} OR ${isRejected} THEN options->>'filter' END)`;

const replacesObject = (call: string) =>
  `CASE WHEN ${call}.replacement_serial IS NOT NULL
        THEN json_build_object('from', ${call}.replaced_serial, 'to', ${call}.replacement_serial) END`;

/** What the call was about, and the one that it undoes. */
export const subjectColumns = (call: string) => `${replacesObject(call)} AS replaces,
  (SELECT json_build_object('kind', undone.kind, 'source', undone.source, 'note', undone.note, 'items', undone.items,
     'replaces', ${replacesObject('undone')}) FROM calls AS undone WHERE undone.id = ${call}.undoes) AS undone`;

const callColumns = `id, kind, ${state} AS state, json_build_object('kind', actor_kind, 'id', actor_id) AS actor,
  request_id AS "requestId", started_at AS "startedAt", finished_at AS "finishedAt", items, succeeded, failed, changes, undoes,
  source, note, patch, ${subjectColumns('calls')},
  (SELECT ${planObject} FROM planned_calls WHERE call_id = calls.id) AS plan,
  (SELECT undo.id FROM calls AS undo WHERE undo.undoes = calls.id
     AND undo.state IN ('running', 'completed', 'interrupted') ORDER BY undo.id DESC LIMIT 1) AS "undoneBy"`;

function callOf({ startedAt, finishedAt, plan, ...rest }: CallRow): Call {
  return {
    ...rest,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    plan: plan && planOf(plan),
  };
}

/** PostgreSQL writes times into JSON in its own format. */
function planOf(plan: Plan): Plan {
  const time = <T extends string | null>(text: T) =>
    text === null ? text : (new Date(text).toISOString() as T);
  return {
    ...plan,
    plannedAt: time(plan.plannedAt),
    effectiveAt: time(plan.effectiveAt),
    expiresAt: time(plan.expiresAt),
    approvedAt: time(plan.approvedAt),
    cancelledAt: time(plan.cancelledAt),
  };
}

export async function getCall(executor: Executor, id: string): Promise<Call | undefined> {
  const { rows } = await executor.query<CallRow>(`SELECT ${callColumns} FROM calls WHERE id = $1`, [id]);
  return rows[0] && callOf(rows[0]);
}

/** Locks the call until the transaction ends. */
export async function lockCall(tx: Executor, id: string): Promise<Call | undefined> {
  await tx.query('SELECT FROM calls WHERE id = $1 FOR UPDATE', [id]);
  return getCall(tx, id);
}

export interface CallFilters {
  readonly kind?: string;
  readonly state?: string;
  readonly actorId?: string;
  readonly requestId?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Newest first. */
export async function listCalls(
  executor: Executor,
  { filters, before, limit }: { filters: CallFilters; before: string | undefined; limit: number },
): Promise<Call[]> {
  const { where, values } = whereAll(
    {
      'id < ?': before,
      'kind = ?': filters.kind,
      [`${state} = ?`]: filters.state,
      'actor_id = ?': filters.actorId,
      'request_id = ?': filters.requestId,
      'started_at >= ?': filters.since,
      'started_at < ?': filters.until,
    },
    [limit],
  );
  const { rows } = await executor.query<CallRow>(
    `SELECT ${callColumns} FROM calls WHERE ${where} ORDER BY id DESC LIMIT $1`,
    values,
  );
  return rows.map(callOf);
}

const callsDeletedAtOnce = 1_000;

/** Returns true if there may be more. */
export async function deleteOldCalls(executor: Executor, olderThanDays: number): Promise<boolean> {
  const { rows } = await executor.query<{ deleted: number }>(
    `WITH old AS (DELETE FROM calls
                  WHERE id = ANY (ARRAY(SELECT id FROM calls WHERE started_at < now() - make_interval(days => $1)
                                          AND NOT ${isWaiting} ORDER BY id LIMIT $2))
                  RETURNING id),
          plans AS (DELETE FROM planned_calls WHERE call_id IN (SELECT id FROM old)),
          items AS (DELETE FROM call_items WHERE call_id IN (SELECT id FROM old)),
          forgotten AS (DELETE FROM call_changes WHERE call_id IN (SELECT id FROM old))
     SELECT count(*)::integer AS deleted FROM old`,
    [olderThanDays, callsDeletedAtOnce],
  );
  return rows[0]?.deleted === callsDeletedAtOnce;
}
