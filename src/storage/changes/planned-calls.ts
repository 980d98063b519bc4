import type { CallKind, CallState, IfChanged } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { deleteBatch, plainArray, textArray } from '../sql.js';
import { type CallActor, isWaiting, lastWorkingDay, type RunningCall, state } from './calls.js';
import type { CallEventKind } from './change-feed.js';
import { type ChangeOrigin, originColumns, originValues } from './changes.js';

export interface NewPlannedCall {
  readonly call: RunningCall;
  /** Undefined: as soon as possible. */
  readonly effectiveAt: string | undefined;
  readonly needsApproval: boolean;
  readonly ifChanged: IfChanged;
  readonly author: CallAuthor;
  /** As JSON. */
  readonly options: object;
  /** How many users it creates, deactivates and so on. */
  readonly effects: object;
  /** How long after it was due, or requested, it expires; 0 means never. */
  readonly expiryHours: number;
}

/** Who answers for a call. */
export interface CallAuthor extends CallActor {
  readonly scopes: readonly string[];
  /** Of a client's token. */
  readonly tokenGeneration?: number | undefined;
}

/** Whether the token of a client has ended since it was checked. Whoever ends it waits for this transaction. */
const tokenHasEnded = (id: string, generation: string) =>
  `coalesce((SELECT token_generation <> ${generation}::integer FROM clients WHERE id = ${id} FOR SHARE), false)`;

/** Prepares a call that is to run later. Nobody sees it until `insertWaitingCall` records it. */
export async function insertPlannedCall(executor: Executor, planned: NewPlannedCall): Promise<void> {
  const { call, effectiveAt, needsApproval, ifChanged, author, options, effects, expiryHours } = planned;
  await executor.query(
    `INSERT INTO planned_calls (call_id, effective_at, due_at, expires_at, needs_approval, if_changed, author_kind, author_id,
       author_scopes, options, needs_takeover, effects)
     VALUES ($1, $2, CASE WHEN NOT $3 THEN coalesce($2, now()) END,
       CASE WHEN $4::integer > 0 THEN coalesce($2, now()) + make_interval(hours => $4::integer) END, $3, $5, $6, $7, $8, $9,
       ${tokenHasEnded('$7', '$10')}, $11)`,
    [
      ...[call.id, effectiveAt ?? null, needsApproval, expiryHours, ifChanged, author.kind, author.id],
      ...[textArray(author.scopes), JSON.stringify(options), author.tokenGeneration ?? null],
      JSON.stringify(effects),
    ],
  );
}

/** Removes a call that was prepared and never recorded, with its items. */
export async function deleteUnrecordedCall(executor: Executor, id: string): Promise<void> {
  const unrecorded = 'call_id = $1 AND NOT EXISTS (SELECT FROM calls WHERE id = $1)';
  while (await deleteBatch(executor, { table: 'planned_items', condition: unrecorded, values: [id] }));
  await executor.query(`DELETE FROM planned_calls WHERE ${unrecorded}`, [id]);
}

/** Calls whose node died while it prepared them. */
export async function listUnrecordedCalls(executor: Executor, olderThanHours: number): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>(
    `SELECT call_id AS id FROM planned_calls
     WHERE created_at < now() - make_interval(hours => $1) AND NOT EXISTS (SELECT FROM calls WHERE id = call_id)`,
    [olderThanHours],
  );
  return rows.map(({ id }) => id);
}

/** The filters that planned calls were made with. */
export async function plannedFilters(
  tx: Executor,
): Promise<readonly { readonly id: string; readonly query: string }[]> {
  const { rows } = await tx.query<{ id: string; query: string }>(
    `SELECT call_id AS id, options->>'filter' AS query FROM planned_calls WHERE options->>'filter' IS NOT NULL`,
  );
  return rows;
}

export async function forgetFilters(tx: Executor, callIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE planned_calls SET options = (options::jsonb - 'filter')::json WHERE call_id = ANY ($1::uuid[])`,
    [plainArray(callIds)],
  );
}

/** How many calls of an author wait for their time or for approval. */
export async function countPlannedCalls(executor: Executor, author: CallActor): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM planned_calls JOIN calls ON id = call_id
     WHERE ${isWaiting} AND author_kind = $1 AND author_id = $2`,
    [author.kind, author.id],
  );
  return rows[0]?.count ?? 0;
}

/** A planned call, locked until the transaction ends. */
export interface LockedCall {
  readonly id: string;
  readonly state: CallState;
  readonly needsApproval: boolean;
  readonly needsTakeover: boolean;
  readonly requestedBy: CallActor;
  readonly author: CallActor;
  readonly kind: CallKind;
  readonly items: number;
  /** Null if an earlier version planned it. */
  readonly effects: object | null;
  readonly effectiveAt: Date | null;
  readonly lastWorkingDay: string | null;
}

/** Undefined if it was never planned. */
export async function lockPlannedCall(tx: Executor, id: string): Promise<LockedCall | undefined> {
  const { rows } = await tx.query<LockedCall>(
    `SELECT id, ${state} AS state, needs_approval AS "needsApproval",
       needs_takeover AS "needsTakeover", json_build_object('kind', actor_kind, 'id', actor_id) AS "requestedBy",
       json_build_object('kind', author_kind, 'id', author_id) AS author, kind, items, effects, effective_at AS "effectiveAt",
       ${lastWorkingDay} AS "lastWorkingDay"
     FROM planned_calls JOIN calls ON id = call_id WHERE call_id = $1 FOR UPDATE OF calls, planned_calls`,
    [id],
  );
  return rows[0];
}

export async function approvePlannedCall(tx: Executor, id: string, approver: CallActor): Promise<void> {
  await tx.query(
    `UPDATE planned_calls SET approved_at = now(), approver_kind = $2, approver_id = $3, due_at = coalesce(effective_at, now())
     WHERE call_id = $1`,
    [id, approver.kind, approver.id],
  );
  await setState(tx, id, 'planned');
}

/** Why and by whom a call was cancelled. */
export interface Cancellation {
  readonly actor: CallActor;
  readonly reason: string | null;
  /** By someone who was asked for approval. The preview stays: whoever requested the call sees what was rejected. */
  readonly isRejection: boolean;
}

export async function cancelPlannedCall(
  tx: Executor,
  id: string,
  { actor, reason, isRejection }: Cancellation,
): Promise<void> {
  await tx.query(
    `UPDATE planned_calls SET cancelled_at = now(), canceller_kind = $2, canceller_id = $3, cancel_reason = $4
     WHERE call_id = $1`,
    [id, actor.kind, actor.id, reason],
  );
  await setState(tx, id, 'cancelled');
  await (isRejection ? endPlannedCall : dropPlannedCall)(tx, id);
}

/**
 * The new author needs the approval of someone else, if the call needs one at all. The author answers for what the
 * preview shows, and for nothing else: items that would do more now are skipped, and passwords that somebody else chose
 * are replaced with generated ones.
 */
export async function takeOverPlannedCall(
  tx: Executor,
  { id, state: current, needsApproval }: LockedCall,
  author: CallAuthor,
): Promise<void> {
  await tx.query(
    `UPDATE planned_calls SET author_kind = $2, author_id = $3, author_scopes = $4, needs_takeover = ${tokenHasEnded('$3', '$5')},
       if_changed = CASE if_changed WHEN 'run' THEN 'skip' ELSE if_changed END
     WHERE call_id = $1`,
    [id, author.kind, author.id, textArray(author.scopes), author.tokenGeneration ?? null],
  );
  await forgetPasswords(tx, id);
  if (current === 'interrupted') return; // it has begun, so it was approved, and goes on
  await tx.query(
    `UPDATE planned_calls SET approved_at = NULL, approver_kind = NULL, approver_id = NULL,
       due_at = CASE WHEN NOT needs_approval THEN coalesce(effective_at, now()) END
     WHERE call_id = $1`,
    [id],
  );
  await setState(tx, id, needsApproval ? 'awaitingApproval' : 'planned');
}

async function setState(tx: Executor, id: string, next: CallState): Promise<void> {
  await tx.query('UPDATE calls SET state = $2 WHERE id = $1', [id, next]);
}

/** The call has ended, so its passwords are not needed any more. */
export async function endPlannedCall(tx: Executor, id: string): Promise<void> {
  await tx.query('UPDATE planned_calls SET due_at = NULL, expires_at = NULL WHERE call_id = $1', [id]);
  await forgetPasswords(tx, id);
}

/** The call will never run, so what it would have done is not needed any more. */
export async function dropPlannedCall(tx: Executor, id: string): Promise<void> {
  await tx.query('UPDATE planned_calls SET due_at = NULL, expires_at = NULL WHERE call_id = $1', [id]);
  await tx.query('DELETE FROM planned_items WHERE call_id = $1', [id]);
}

async function forgetPasswords(tx: Executor, id: string): Promise<void> {
  await tx.query(
    'UPDATE planned_items SET secret = NULL, secret_key_id = NULL WHERE call_id = $1 AND secret IS NOT NULL',
    [id],
  );
}

/** A call that this node runs now. */
export interface DueCall {
  readonly id: string;
  readonly kind: CallKind;
  readonly claim: number;
  readonly items: number;
  readonly undoes: string | null;
  readonly requestId: string;
  readonly author: CallActor;
  readonly authorScopes: readonly string[];
  readonly ifChanged: IfChanged;
  readonly options: unknown;
}

/**
 * Claims the call that has been due for the longest time, or one whose node has died. The time is the database's, so it
 * is the same for all nodes.
 */
export async function claimDueCall(
  executor: Executor,
  /** This node can't decrypt the passwords of calls that other keys encrypt. */
  keyIds: readonly string[],
  leaseMs: number,
): Promise<DueCall | undefined> {
  const { rows } = await executor.query<DueCall>({
    name: 'claim-due-call',
    text: `WITH due AS (
             SELECT call_id, author_kind, author_id, author_scopes, if_changed, options
             FROM planned_calls JOIN calls ON id = call_id
             WHERE due_at <= now() AND NOT needs_takeover AND (state = 'planned'
               OR (state IN ('running', 'interrupted') AND (claimed_until IS NULL OR claimed_until <= now())))
               AND NOT EXISTS (SELECT FROM planned_items AS item WHERE item.call_id = planned_calls.call_id
                 AND secret IS NOT NULL AND secret_key_id <> ALL ($2))
             ORDER BY due_at LIMIT 1 FOR UPDATE OF calls, planned_calls SKIP LOCKED)
           UPDATE calls SET claim = claim + 1, started_at = CASE state WHEN 'planned' THEN now() ELSE started_at END,
             state = 'running', claimed_until = now() + make_interval(secs => $1::float8 / 1000)
           FROM due WHERE id = call_id
           RETURNING id, kind, claim, items, undoes, request_id AS "requestId",
             json_build_object('kind', author_kind, 'id', author_id) AS author,
             to_json(author_scopes) AS "authorScopes", if_changed AS "ifChanged", options`,
    values: [leaseMs, textArray(keyIds)],
  });
  return rows[0];
}

type Claimed = Pick<DueCall, 'id' | 'claim'>;

/** Gives back a claimed call, so that someone else takes it over. */
export async function awaitTakeover(tx: Executor, call: Claimed): Promise<void> {
  if (await giveBack(tx, call)) {
    await tx.query('UPDATE planned_calls SET needs_takeover = true WHERE call_id = $1', [call.id]);
  }
}

/** Gives back a claimed call that can't run now, to be tried again later. */
export async function postponeCall(tx: Executor, call: Claimed, seconds: number): Promise<void> {
  if (await giveBack(tx, call)) {
    await tx.query('UPDATE planned_calls SET due_at = now() + make_interval(secs => $2) WHERE call_id = $1', [
      call.id,
      seconds,
    ]);
  }
}

/** Returns false if another node has claimed it. */
async function giveBack(tx: Executor, { id, claim }: Claimed): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE calls SET state = CASE WHEN succeeded + failed = 0 THEN 'planned' ELSE 'interrupted' END, claimed_until = NULL
     WHERE id = $1 AND claim = $2 AND state IN ('running', 'interrupted')`,
    [id, claim],
  );
  return rowCount === 1;
}

/** Whether a call may have to run or to end. Most installations have none most of the time. */
export async function isCallDue(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ isDue: boolean }>({
    name: 'is-call-due',
    text: `SELECT EXISTS (SELECT FROM planned_calls WHERE due_at <= now() OR expires_at <= now()) AS "isDue"`,
  });
  return rows[0]?.isDue === true;
}

const expiredAtOnce = 10;

/** Ends calls that could not run in time. Returns their IDs. */
export async function expirePlannedCalls(tx: Executor): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'expire-planned-calls',
    text: `UPDATE calls SET state = 'expired' WHERE id IN (
             SELECT call_id FROM planned_calls JOIN calls ON id = call_id
             WHERE expires_at <= now() AND ${isWaiting}
             ORDER BY expires_at LIMIT ${expiredAtOnce} FOR UPDATE OF calls SKIP LOCKED)
           RETURNING id`,
  });
  return rows.map(({ id }) => id);
}

/** Calls whose node died between their last item and the end. */
export async function finishedPlannedCalls(tx: Executor): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'finished-planned-calls',
    text: `SELECT call_id AS id FROM planned_calls JOIN calls ON id = call_id
           WHERE due_at <= now() AND state = 'completed' LIMIT ${expiredAtOnce} FOR UPDATE OF planned_calls SKIP LOCKED`,
  });
  return rows.map(({ id }) => id);
}

/** Adds an event of a call to the change log, for those who follow it. */
export async function insertCallEvent(
  tx: Executor,
  kind: CallEventKind,
  origin: ChangeOrigin,
): Promise<void> {
  await tx.query(
    `INSERT INTO changes (kind, ${originColumns}, fields)
     SELECT $1, $2, $3, $4, $5, json_build_object('kind', kind, 'items', items, 'undoes', undoes, 'effectiveAt',
              to_char(effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     FROM calls JOIN planned_calls ON call_id = id WHERE id = $2`,
    [kind, ...originValues(origin)],
  );
}
