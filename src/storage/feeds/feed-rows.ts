import type { FeedRowKind } from '../../contract/feeds.js';
import type { Executor } from '../database.js';
import { plainArray, textArray, whereAll } from '../sql.js';

/** What became of a row that did something, or failed. */
export interface FeedRow {
  /** The row of the file; users who are missing from it come after all rows. */
  readonly place: number;
  readonly isMissing: boolean;
  readonly serial: string | null;
  readonly kind: FeedRowKind;
  readonly employeeID: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly changed: readonly string[] | null;
  readonly kept: readonly string[] | null;
}

/** A row that was tried again replaces what it was. Erased users are not recorded again. */
export async function insertFeedRows(tx: Executor, runId: string, rows: readonly FeedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const joined = (list: readonly string[] | null) => (list ? list.join(' ') : null);
  await tx.query({
    name: 'insert-feed-rows',
    text: `INSERT INTO feed_rows (run_id, place, is_missing, user_serial, kind, employee_id, code, detail, changed, kept)
           SELECT $1, place, is_missing, serial, kind, employee_id, code, detail, string_to_array(changed, ' '),
                  string_to_array(kept, ' ')
           FROM unnest($2::integer[], $3::boolean[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                       $10::text[]) AS new (place, is_missing, serial, kind, employee_id, code, detail, changed, kept)
           ON CONFLICT (run_id, place) DO UPDATE SET is_missing = excluded.is_missing, user_serial = excluded.user_serial,
             kind = excluded.kind, employee_id = excluded.employee_id, code = excluded.code, detail = excluded.detail,
             changed = excluded.changed, kept = excluded.kept`,
    values: [
      runId,
      plainArray(rows.map(({ place }) => place)),
      plainArray(rows.map(({ isMissing }) => isMissing)),
      plainArray(rows.map(({ serial }) => serial ?? 'NULL')),
      textArray(rows.map(({ kind }) => kind)),
      textArray(rows.map(({ employeeID }) => employeeID)),
      textArray(rows.map(({ code }) => code)),
      textArray(rows.map(({ detail }) => detail)),
      textArray(rows.map(({ changed }) => joined(changed))),
      textArray(rows.map(({ kept }) => joined(kept))),
    ],
  });
}

export async function deleteFeedRows(tx: Executor, runId: string): Promise<void> {
  await tx.query('DELETE FROM feed_rows WHERE run_id = $1', [runId]);
  await tx.query('DELETE FROM feed_chunks WHERE run_id = $1', [runId]);
}

/** In the order of the file. */
export async function listFeedRows(
  executor: Executor,
  runId: string,
  page: { readonly after: number | undefined; readonly limit: number; readonly kind?: string | undefined },
): Promise<FeedRow[]> {
  const { where, values } = whereAll({ 'place > ?': page.after, 'kind = ?': page.kind }, [runId, page.limit]);
  const { rows } = await executor.query<FeedRow>(
    `SELECT place, is_missing AS "isMissing", user_serial AS serial, kind, employee_id AS "employeeID", code, detail, changed,
            kept
     FROM feed_rows WHERE run_id = $1 AND ${where} ORDER BY place LIMIT $2`,
    values,
  );
  return rows;
}

/** The first rows that failed, for messages. */
export async function failedPlaces(executor: Executor, runId: string, limit: number): Promise<number[]> {
  const { rows } = await executor.query<{ place: number }>(
    `SELECT place FROM feed_rows WHERE run_id = $1 AND kind = 'failed' AND NOT is_missing ORDER BY place LIMIT $2`,
    [runId, limit],
  );
  return rows.map(({ place }) => place);
}

/** What a chunk is about to do, until it is done. */
export interface StoredChunk {
  readonly chunk: string;
  readonly isDone: boolean;
  readonly intents: unknown;
  readonly retries: readonly number[];
}

export async function intendChunk(
  executor: Executor,
  runId: string,
  chunk: string,
  intents: unknown,
): Promise<void> {
  await executor.query(
    `INSERT INTO feed_chunks (run_id, chunk, is_done, intents) VALUES ($1, $2, false, $3)
     ON CONFLICT (run_id, chunk) DO UPDATE SET intents = excluded.intents`,
    [runId, chunk, JSON.stringify(intents)],
  );
}

export async function finishChunk(
  tx: Executor,
  runId: string,
  chunk: string,
  retries: readonly number[],
): Promise<void> {
  await tx.query(
    `INSERT INTO feed_chunks (run_id, chunk, is_done, retries) VALUES ($1, $2, true, $3::integer[])
     ON CONFLICT (run_id, chunk) DO UPDATE SET is_done = true, intents = NULL, retries = excluded.retries`,
    [runId, chunk, plainArray(retries)],
  );
}

export async function listChunks(executor: Executor, runId: string): Promise<StoredChunk[]> {
  const { rows } = await executor.query<StoredChunk>(
    'SELECT chunk, is_done AS "isDone", intents, retries FROM feed_chunks WHERE run_id = $1',
    [runId],
  );
  return rows;
}

/** Rows that failed or were planned, and what became of those that were to be tried again. */
export async function knownOutcomes(
  executor: Executor,
  runId: string,
  retried: readonly number[],
): Promise<{ readonly row: number; readonly kind: 'failed' | 'planned' | 'updated' }[]> {
  const { rows } = await executor.query<{ row: number; kind: 'failed' | 'planned' | 'updated' }>(
    `SELECT place AS row, CASE WHEN kind IN ('failed', 'planned') THEN kind ELSE 'updated' END AS kind FROM feed_rows
     WHERE run_id = $1 AND NOT is_missing AND (kind IN ('failed', 'planned') OR place = ANY ($2::integer[]))`,
    [runId, plainArray(retried)],
  );
  return rows;
}

/** Keeps that there were rows, but not whose they are. The texts of other rows may name the users, too. */
export async function eraseFeedRows(
  tx: Executor,
  serials: readonly string[],
  names: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'erase-feed-rows',
    text: `UPDATE feed_rows SET employee_id = NULL, detail = NULL
           WHERE user_serial = ANY ($1::uuid[]) OR employee_id = ANY ($2::text[])`,
    values: [plainArray(serials), textArray(names)],
  });
  await tx.query({
    name: 'erase-feed-details',
    text: `UPDATE feed_rows SET detail = NULL
           WHERE detail IS NOT NULL AND EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE strpos(detail, name) > 0)`,
    values: [textArray(names)],
  });
  // A run that goes on compares its rows with the users again, and needs no intents for that.
  await tx.query('UPDATE feed_chunks SET intents = NULL WHERE intents IS NOT NULL');
}
