import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';

/** The outcomes of consecutive items, as they are stored. */
export interface ChunkItems {
  readonly first: number;
  /** Null for items that failed. */
  readonly serials: readonly (string | null)[];
  /** Null for items that were not understood. */
  readonly employeeIDs: readonly (string | null)[];
  /** By position. */
  readonly failures: Readonly<Record<number, unknown>>;
}

/** The values that `advanceCall` inserts. */
export function chunkItemValues({ first, serials, employeeIDs, failures }: ChunkItems): unknown[] {
  return [
    first,
    plainArray(serials.map((serial) => serial ?? 'NULL')),
    textArray(employeeIDs),
    JSON.stringify(failures),
  ];
}

export interface CallItem {
  readonly position: number;
  readonly serial: string | null;
  readonly employeeID: string | null;
  /** As it was stored; null if the item succeeded. */
  readonly failure: unknown;
}

export interface CallItemFilters {
  readonly failed?: boolean | undefined;
}

/** In order of their positions. */
export async function listCallItems(
  executor: Executor,
  callId: string,
  { failed }: CallItemFilters,
  { after, limit }: { after: number; limit: number },
): Promise<CallItem[]> {
  const { rows } = await executor.query<CallItem>(
    `WITH chunks AS MATERIALIZED (
       SELECT first_item, serials, employee_ids, failures FROM call_items
       WHERE call_id = $1 AND first_item + cardinality(serials) > $2
         AND ($3::boolean IS NOT NULL OR first_item <= $2::bigint + $4)),
     items AS (
       SELECT first_item + place::integer - 1 AS position, serial, employee_id
       FROM chunks, unnest(serials, employee_ids) WITH ORDINALITY AS item (serial, employee_id, place)),
     failed AS (SELECT key::integer AS position, value AS failure FROM chunks, json_each(failures))
     SELECT position, serial, employee_id AS "employeeID", failure FROM items LEFT JOIN failed USING (position)
     WHERE position > $2 AND ($3::boolean IS NULL OR (failure IS NOT NULL) = $3)
     ORDER BY position LIMIT $4`,
    [callId, after, failed ?? null, limit],
  );
  return rows;
}

const deletedAtOnce = 100;

/** Returns true if there may be more. */
export async function deleteOldCallItems(executor: Executor, olderThanDays: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `DELETE FROM call_items WHERE (call_id, first_item) IN (
       SELECT call_id, first_item FROM call_items WHERE created_at < now() - make_interval(days => $1)
       ORDER BY created_at LIMIT $2)`,
    [olderThanDays, deletedAtOnce],
  );
  return rowCount === deletedAtOnce;
}
