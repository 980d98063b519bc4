import type { Executor } from '../database.js';
import { addedCounts, loggedStatus, periodOf, statusCounts } from '../indexing/change-counts.js';
import { pauseIndexing } from '../indexing/index-state.js';
import { plainArray } from '../sql-arrays.js';
import { changesOfUsers } from './logged-values.js';

const columns = Object.keys(statusCounts);

/**
 * Keeps how many users were active when. The log is about to forget whether these were, so what it says about them now is
 * moved to counts of their own, together with their end. The caller then deletes the users and erases their values.
 */
export async function keepStatusCounts(tx: Executor, serials: readonly string[]): Promise<void> {
  await pauseIndexing(tx);
  const sums = columns.map((column) => `${statusCounts[column as keyof typeof statusCounts]} AS ${column}`);
  await tx.query({
    name: 'keep-status-counts',
    text: `WITH logged AS MATERIALIZED (
             SELECT ${periodOf('at')} AS period,
                    seq <= counts_position OR at < counts_since AS is_counted, ${sums.join(', ')}
             FROM ${loggedStatus(`seq = ANY (ARRAY(${changesOfUsers}))`)} CROSS JOIN index_state
             GROUP BY 1, 2),
           moved AS (
             SELECT period, true AS is_from_log, ${columns.map((column) => `-${column} AS ${column}`).join(', ')}
             FROM logged WHERE is_counted
             UNION ALL
             SELECT period, false, ${columns.join(', ')} FROM logged
             UNION ALL
             SELECT ${periodOf('now()')}, false, 0, 0, -(is_active::integer), -((NOT is_active)::integer)
             FROM users WHERE serial = ANY ($1::uuid[]))
           INSERT INTO change_counts (period, is_from_log, ${columns.join(', ')})
           SELECT period, is_from_log, ${columns.map((column) => `sum(${column})`).join(', ')}
           FROM moved GROUP BY 1, 2 ORDER BY 1, 2 ${addedCounts}`,
    values: [plainArray(serials)],
  });
}
