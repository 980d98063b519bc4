import type { Executor } from './database.js';

/** How many rows one statement deletes, so that no lock lasts. */
const rowsAtOnce = 5_000;

/** Deletes rows that satisfy a condition, but not too many at once. Returns true if there may be more. */
export async function deleteBatch(
  executor: Executor,
  { table, condition, values }: { table: string; condition: string; values: readonly unknown[] },
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${rowsAtOnce}))`,
    [...values],
  );
  return rowCount === rowsAtOnce;
}
