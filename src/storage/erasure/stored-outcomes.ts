import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

/** The outcomes of a chunk of a bulk call, as they are kept for reading. */
export interface StoredChunk {
  readonly callId: string;
  readonly first: number;
  readonly serials: readonly (string | null)[];
  readonly employeeIDs: readonly (string | null)[];
  readonly failures: Readonly<Record<string, unknown>>;
}

/** Locked until the transaction ends, like all rows that are found here. */
export async function lockChunksMentioning(
  tx: Executor,
  mentions: readonly string[],
): Promise<StoredChunk[]> {
  const { rows } = await tx.query<StoredChunk>({
    name: 'lock-chunks-mentioning',
    text: `SELECT call_id AS "callId", first_item AS first, to_json(serials) AS serials,
             to_json(employee_ids) AS "employeeIDs", failures
           FROM call_items WHERE mentions && $1::bigint[] ORDER BY call_id, first_item FOR UPDATE`,
    values: [plainArray(mentions)],
  });
  return rows;
}

export async function replaceChunk(
  tx: Executor,
  { callId, first, employeeIDs, failures }: StoredChunk,
  erased: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE call_items SET employee_ids = $3::text[], failures = $4, mentions = ${without('$5')}
     WHERE call_id = $1 AND first_item = $2`,
    [callId, first, textArray(employeeIDs), JSON.stringify(failures), plainArray(erased)],
  );
}

/** A part of the report of a bulk call, stored for an idempotency key. */
export interface StoredReport {
  readonly callId: string;
  readonly first: number;
  readonly outcomes: readonly unknown[];
  readonly memory: unknown;
}

/** Parts that mention somebody, and all parts of some calls. */
export async function lockReports(
  tx: Executor,
  mentions: readonly string[],
  callIds: readonly string[],
): Promise<StoredReport[]> {
  const { rows } = await tx.query<StoredReport>({
    name: 'lock-reports',
    text: `SELECT call_id AS "callId", first_item AS first, outcomes, memory FROM call_parts
           WHERE mentions && $1::bigint[] OR call_id = ANY ($2::uuid[])
           ORDER BY call_id, first_item FOR UPDATE`,
    values: [plainArray(mentions), plainArray(callIds)],
  });
  return rows;
}

export async function replaceReport(
  tx: Executor,
  { callId, first, outcomes, memory }: StoredReport,
  erased: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE call_parts SET outcomes = $3, memory = $4, mentions = ${without('$5')}
     WHERE call_id = $1 AND first_item = $2`,
    [callId, first, JSON.stringify(outcomes), JSON.stringify(memory), plainArray(erased)],
  );
}

/** An answer to a create, stored for an idempotency key. */
export interface StoredAnswer {
  readonly actor: string;
  readonly key: string;
  readonly answer: unknown;
}

export async function lockAnswersMentioning(
  tx: Executor,
  mentions: readonly string[],
): Promise<StoredAnswer[]> {
  const { rows } = await tx.query<StoredAnswer>({
    name: 'lock-answers-mentioning',
    text: `SELECT actor, key, answer FROM idempotency_keys
           WHERE mentions && $1::bigint[] AND answer IS NOT NULL ORDER BY actor, key FOR UPDATE`,
    values: [plainArray(mentions)],
  });
  return rows;
}

export async function replaceAnswer(
  tx: Executor,
  { actor, key, answer }: StoredAnswer,
  erased: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE idempotency_keys SET answer = $3, mentions = ${without('$4')} WHERE actor = $1 AND key = $2`,
    [actor, key, JSON.stringify(answer), plainArray(erased)],
  );
}

/** Replaces the planned changes of these users by a failure. */
export async function erasePlannedChanges(
  tx: Executor,
  serials: readonly string[],
  failure: unknown,
): Promise<void> {
  await tx.query({
    name: 'erase-planned-changes',
    text: `UPDATE planned_items SET ${replacedBy('$2')} WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials), JSON.stringify(failure)],
  });
}

/** A planned item that changes nobody according to its preview. */
export interface MentioningItem {
  readonly id: string;
  readonly position: number;
  readonly employeeID: string | null;
  readonly item: unknown;
  readonly preview: unknown;
}

export async function lockItemsMentioning(
  tx: Executor,
  mentions: readonly string[],
): Promise<MentioningItem[]> {
  const { rows } = await tx.query<MentioningItem>({
    name: 'lock-items-mentioning',
    text: `SELECT id, position, employee_id AS "employeeID", item, preview FROM planned_items
           WHERE mentions && $1::bigint[] AND user_serial IS NULL ORDER BY id FOR UPDATE`,
    values: [plainArray(mentions)],
  });
  return rows;
}

/** All at once: anyone can plan thousands of items that mention a user. */
export async function replacePlannedItems(
  tx: Executor,
  ids: readonly string[],
  failure: unknown,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(`UPDATE planned_items SET ${replacedBy('$2')} WHERE id = ANY ($1::uuid[])`, [
    plainArray(ids),
    JSON.stringify(failure),
  ]);
}

export async function replacePreviews(
  tx: Executor,
  previews: readonly { readonly id: string; readonly preview: unknown }[],
  erased: readonly string[],
): Promise<void> {
  if (previews.length === 0) return;
  await tx.query(
    `UPDATE planned_items SET preview = new.preview::json, mentions = ${without('$3')}
     FROM unnest($1::uuid[], $2::text[]) AS new (id, preview) WHERE planned_items.id = new.id`,
    [
      plainArray(previews.map(({ id }) => id)),
      textArray(previews.map(({ preview }) => JSON.stringify(preview))),
      plainArray(erased),
    ],
  );
}

function replacedBy(failure: string): string {
  return `item = ${failure}, preview = ${failure}, employee_id = NULL, user_serial = NULL, secret = NULL,
    secret_key_id = NULL, mentions = NULL`;
}

function without(erased: string): string {
  return `(SELECT array_agg(mention) FROM unnest(mentions) AS mention WHERE mention <> ALL (${erased}::bigint[]))`;
}

/** Where each table mentions somebody. */
const mentioning = {
  call_items: 'failures::text || to_json(employee_ids)::text || to_json(serials)::text',
  call_parts: 'outcomes::text || memory::text',
  idempotency_keys: 'answer::text',
  planned_items: `item::text || preview::text || to_json(coalesce(employee_id, ''))::text`,
};

const notedAtOnce = 200;

/**
 * Notes what rows mention that were written without it: before there were mentions, or by a node of the last release,
 * which leaves the default. Like `mentionsOf`, but finds more. Returns true if there may be more rows.
 */
export async function noteMentions(executor: Executor): Promise<boolean> {
  let isMore = false;
  for (const [table, json] of Object.entries(mentioning)) {
    const { rowCount } = await executor.query(
      `UPDATE ${table} SET mentions = (
         SELECT array_agg(DISTINCT ('x' || left(encode(sha256(convert_to(text, 'UTF8')), 'hex'), 16))::bit(64)::bigint)
         FROM string_to_table(lower(replace(${json}, '\\"', '"')), '"') AS text WHERE text ~ '^[a-z0-9-]{1,64}$')
       WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE mentions && '{0}' LIMIT ${notedAtOnce} FOR UPDATE))`,
    );
    isMore ||= rowCount === notedAtOnce;
  }
  return isMore;
}
