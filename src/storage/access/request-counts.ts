import type { Executor } from '../database.js';

export interface AddedCounts {
  readonly windowStart: Date;
  readonly counts: readonly { readonly key: string; readonly added: number }[];
}

/** Adds the counts of one process and returns the totals of all processes. Keys are locked in a fixed order. */
export async function addRequestCounts(
  executor: Executor,
  { windowStart, counts }: AddedCounts,
): Promise<{ key: string; total: number }[]> {
  const { rows } = await executor.query<{ key: string; total: string }>({
    name: 'add-request-counts',
    text: `INSERT INTO request_counts AS counted (key, window_start, count)
           SELECT key, $1, added FROM unnest($2::text[], $3::bigint[]) AS given (key, added) ORDER BY key
           ON CONFLICT (key, window_start) DO UPDATE SET count = counted.count + excluded.count
           RETURNING key, count AS total`,
    values: [windowStart, counts.map(({ key }) => key), counts.map(({ added }) => added)],
  });
  return rows.map(({ key, total }) => ({ key, total: Number(total) }));
}

export async function deleteOldRequestCounts(executor: Executor): Promise<void> {
  await executor.query(`DELETE FROM request_counts WHERE window_start < now() - interval '10 minutes'`);
}
