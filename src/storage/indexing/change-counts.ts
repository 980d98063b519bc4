import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';

/** Changes of one kind, and changes that deactivated or reactivated a user, which are of the kind `updated`. */
export const countedChanges = [
  'created',
  'updated',
  'rehired',
  'deleted',
  'erased',
  'deactivated',
  'reactivated',
] as const;

export type ChangeCounts = Readonly<Record<(typeof countedChanges)[number], number>>;

/** Of one span of time. */
export interface PeriodCounts extends ChangeCounts {
  /** By how much the number of active and inactive users grew. */
  readonly active: number;
  readonly inactive: number;
}

const kinds = ['created', 'updated', 'rehired', 'deleted', 'erased'] as const;
const columns = [...countedChanges, 'active', 'inactive'] as const;

/** The quarter of an hour in which a time is. */
export function periodOf(time: string): string {
  return `date_bin('15 minutes', ${time}, '2000-01-01T00:00:00Z')`;
}

/**
 * A part of the change log with who was active. OFFSET keeps the planner from moving the field into each of the counts:
 * reading it from the text of a new user takes 7 µs.
 */
export function loggedStatus(part: string): string {
  return `(SELECT seq, at, kind, fields -> 'isActive' AS status FROM changes
           WHERE ${part} AND user_serial IS NOT NULL OFFSET 0) AS logged`;
}

const isActive = (side: 'before' | 'after', value: boolean) => `status ->> '${side}' = '${value}'`;

const difference = (value: boolean) =>
  `(count(*) FILTER (WHERE ${isActive('after', value)}) - count(*) FILTER (WHERE ${isActive('before', value)}))::integer`;

/** What rows of `loggedStatus` say about who is active. Nothing, once the user is erased. */
export const statusCounts = {
  deactivated: `(count(*) FILTER (WHERE kind = 'updated' AND ${isActive('after', false)}))::integer`,
  reactivated: `(count(*) FILTER (WHERE kind = 'updated' AND ${isActive('after', true)}))::integer`,
  active: difference(true),
  inactive: difference(false),
} as const;

const sums = [
  ...kinds.map((kind) => `(count(*) FILTER (WHERE kind = '${kind}'))::integer AS ${kind}`),
  ...Object.entries(statusCounts).map(([name, sum]) => `${sum} AS ${name}`),
].join(', ');

/** Adds up if a period is counted in several parts. */
export const addedCounts = `ON CONFLICT (period, is_from_log) DO UPDATE SET
  ${columns.map((column) => `${column} = change_counts.${column} + excluded.${column}`).join(', ')}`;

/** Counts the changes between two settled numbers of the log. */
export async function countChanges(
  tx: Executor,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  if (after === upTo) return;
  await tx.query({
    name: 'count-changes',
    text: `INSERT INTO change_counts (period, is_from_log, ${columns.join(', ')})
           SELECT ${periodOf('at')}, true, ${sums}
           FROM ${loggedStatus('seq > $1 AND seq <= $2 AND at >= (SELECT counts_since FROM index_state)')}
           GROUP BY 1 ORDER BY 1 ${addedCounts}`,
    values: [after, upTo],
  });
}

/** Rows near the beginning of a pruned log may lack neighbours of the same period. */
const prunedMargin = '1 hour';

/** Forgets what the log still says, to count it anew. */
export async function resetChangeCounts(tx: Executor): Promise<void> {
  await tx.query(
    `UPDATE index_state SET counts_since = coalesce(
       (SELECT ${periodOf(`coalesce((SELECT at FROM changes ORDER BY seq LIMIT 1), now()) + interval '${prunedMargin}'`)}
        FROM change_log WHERE pruned_to > 0), '-infinity')`,
  );
  await tx.query(
    'DELETE FROM change_counts WHERE is_from_log AND period >= (SELECT counts_since FROM index_state)',
  );
}

/** Whether at most this many changes are not counted yet. Reads have to look at each of them. */
export async function areCounted(executor: Executor, uncountedMax: number): Promise<boolean> {
  const { rows } = await executor.query<{ counted: boolean }>({
    name: 'are-counted',
    text: `SELECT counts_position >= coalesce((SELECT max(seq) FROM changes), 0) - $1 AND counts_position >= 0 AS counted
           FROM index_state`,
    values: [uncountedMax],
  });
  return rows[0]?.counted === true;
}

/**
 * The sums between each of these times and the next, the last until now, including changes that are not counted yet. In
 * the order of the times.
 */
export async function readChangeCounts(tx: Executor, starts: readonly Date[]): Promise<PeriodCounts[]> {
  const { rows } = await tx.query<PeriodCounts & { place: number }>({
    name: 'read-change-counts',
    text: `WITH uncounted AS (
             SELECT ${periodOf('at')} AS period, ${sums} FROM ${loggedStatus(`
               seq > (SELECT counts_position FROM index_state)
               AND at >= greatest(($1::timestamptz[])[1], (SELECT counts_since FROM index_state))`)}
             GROUP BY 1)
           SELECT width_bucket(period, $1::timestamptz[]) AS place,
                  ${columns.map((column) => `sum(${column})::integer AS ${column}`).join(', ')}
           FROM (SELECT period, ${columns.join(', ')} FROM change_counts WHERE period >= ($1::timestamptz[])[1]
                 UNION ALL SELECT period, ${columns.join(', ')} FROM uncounted) AS counts
           GROUP BY 1`,
    values: [plainArray(starts.map((start) => start.toISOString()))],
  });
  const byPlace = new Map(rows.map(({ place, ...counts }) => [place, counts]));
  return starts.map((_, index) => byPlace.get(index + 1) ?? noCounts);
}

const noCounts = Object.fromEntries(columns.map((column) => [column, 0])) as unknown as PeriodCounts;
