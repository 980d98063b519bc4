import type { Executor } from '../database.js';
import { textArray } from '../sql-arrays.js';
import { quotesAny } from './quoted-texts.js';

/** An answer to a create, stored for an idempotency key. */
export interface StoredAnswer {
  readonly actor: string;
  readonly key: string;
  readonly answer: unknown;
}

/** A part of the report of a bulk call, stored for an idempotency key. */
export interface StoredReport {
  readonly callId: string;
  readonly first: number;
  readonly outcomes: readonly unknown[];
  readonly memory: unknown;
}

/** Locked until the transaction ends. */
export async function lockAnswersWith(tx: Executor, texts: readonly string[]): Promise<StoredAnswer[]> {
  const { rows } = await tx.query<StoredAnswer>({
    name: 'lock-answers-with',
    text: `SELECT actor, key, answer FROM idempotency_keys
           WHERE answer IS NOT NULL AND ${quotesAny('answer::text')} ORDER BY actor, key FOR UPDATE`,
    values: [textArray(texts.map((text) => text.toLowerCase()))],
  });
  return rows;
}

export async function replaceAnswer(tx: Executor, { actor, key, answer }: StoredAnswer): Promise<void> {
  await tx.query('UPDATE idempotency_keys SET answer = $3 WHERE actor = $1 AND key = $2', [
    actor,
    key,
    JSON.stringify(answer),
  ]);
}

/** Locked until the transaction ends. */
export async function lockReportsWith(tx: Executor, texts: readonly string[]): Promise<StoredReport[]> {
  const { rows } = await tx.query<StoredReport>({
    name: 'lock-reports-with',
    text: `SELECT call_id AS "callId", first_item AS first, outcomes, memory FROM call_parts
           WHERE ${quotesAny('outcomes::text || memory::text')} ORDER BY call_id, first_item FOR UPDATE`,
    values: [textArray(texts.map((text) => text.toLowerCase()))],
  });
  return rows;
}

export async function replaceReport(
  tx: Executor,
  { callId, first, outcomes, memory }: StoredReport,
): Promise<void> {
  await tx.query('UPDATE call_parts SET outcomes = $3, memory = $4 WHERE call_id = $1 AND first_item = $2', [
    callId,
    first,
    JSON.stringify(outcomes),
    JSON.stringify(memory),
  ]);
}
