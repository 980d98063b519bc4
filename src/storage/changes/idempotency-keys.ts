import type { Executor } from '../database.js';
import { deleteBatch, plainArray } from '../sql.js';

export interface KeyRow {
  readonly fingerprint: string;
  readonly callId: string | null;
  /** The answer to a create, as JSON. */
  readonly answer: unknown;
}

interface NewKey extends KeyRow {
  readonly actor: string;
  readonly key: string;
  /** Hashes of the names and serials that the answer mentions. */
  readonly mentions: readonly string[] | null;
}

/** Returns true if the key was unused. A concurrent request with the same key waits until this transaction ends. */
export async function insertKey(
  tx: Executor,
  { actor, key, fingerprint, callId, answer, mentions }: NewKey,
  keptHours: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-idempotency-key',
    text: `INSERT INTO idempotency_keys (actor, key, fingerprint, call_id, answer, mentions) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (actor, key) DO UPDATE SET created_at = now(), fingerprint = excluded.fingerprint,
             call_id = excluded.call_id, answer = excluded.answer, mentions = excluded.mentions
           WHERE idempotency_keys.created_at < now() - make_interval(hours => $7)`,
    values: [
      ...[actor, key, fingerprint, callId, answer === null ? null : JSON.stringify(answer)],
      ...[mentions && plainArray(mentions), keptHours],
    ],
  });
  return rowCount === 1;
}

export async function getKey(
  executor: Executor,
  actor: string,
  key: string,
  keptHours: number,
): Promise<KeyRow | undefined> {
  const { rows } = await executor.query<KeyRow>({
    name: 'get-idempotency-key',
    text: `SELECT fingerprint, call_id AS "callId", answer FROM idempotency_keys
           WHERE actor = $1 AND key = $2 AND created_at >= now() - make_interval(hours => $3)`,
    values: [actor, key, keptHours],
  });
  return rows[0];
}

/** The call was rejected as a whole, and may be sent again with the same key. */
export async function deleteKeyOf(executor: Executor, callId: string): Promise<void> {
  await executor.query('DELETE FROM idempotency_keys WHERE call_id = $1', [callId]);
}

export interface CallChunk {
  readonly first: number;
  readonly outcomes: readonly unknown[];
  readonly memory: unknown;
}

export async function insertCallChunk(
  tx: Executor,
  callId: string,
  { first, outcomes, memory, mentions }: CallChunk & { readonly mentions: readonly string[] | null },
): Promise<void> {
  await tx.query({
    name: 'insert-call-part',
    text: 'INSERT INTO call_parts (call_id, first_item, outcomes, memory, mentions) VALUES ($1, $2, $3, $4, $5)',
    values: [
      ...[callId, first, JSON.stringify(outcomes), JSON.stringify(memory)],
      mentions && plainArray(mentions),
    ],
  });
}

export async function listCallChunks(executor: Executor, callId: string): Promise<CallChunk[]> {
  const { rows } = await executor.query<CallChunk>({
    name: 'list-call-parts',
    text: 'SELECT first_item AS first, outcomes, memory FROM call_parts WHERE call_id = $1 ORDER BY first_item',
    values: [callId],
  });
  return rows;
}

/** Keys, and an hour later what they answer. Returns true if there may be more. */
export async function deleteOldKeys(executor: Executor, keptHours: number): Promise<boolean> {
  const condition = 'created_at < now() - make_interval(hours => $1)';
  const moreKeys = await deleteBatch(executor, {
    table: 'idempotency_keys',
    condition,
    values: [keptHours],
  });
  // A planned call that has begun may have to be resumed later.
  const moreParts = await deleteBatch(executor, {
    table: 'call_parts',
    condition: `${condition} AND call_id NOT IN (SELECT call_id FROM planned_calls WHERE due_at IS NOT NULL)`,
    values: [keptHours + 1],
  });
  return moreKeys || moreParts;
}
