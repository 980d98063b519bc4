import { changesOfUsers } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { addedCounts, loggedStatus, periodOf, statusCounts } from '../indexing/change-counts.js';
import { pauseIndexing } from '../indexing/index-state.js';
import { plainArray, textArray } from '../sql.js';

/** What the change log knows about a user besides the values of fields. */
export interface LoggedUser {
  readonly serial: string;
  readonly version: number;
  /** Every employee ID and username the user ever had. */
  readonly names: readonly string[];
  /** Every sign-in name and email address. */
  readonly addresses: readonly string[];
  /** What providers have ever known about the user, as it was stored. */
  readonly provisioned: readonly string[];
  /** The bulk calls that changed the user. */
  readonly callIds: readonly string[];
}

/** The users among these who are in the change log. */
export async function loggedUsers(tx: Executor, serials: readonly string[]): Promise<LoggedUser[]> {
  const { rows } = await tx.query<LoggedUser>({
    name: 'logged-users',
    text: `SELECT user_serial AS serial, max(version) AS version,
                  coalesce(array_agg(DISTINCT text) FILTER (WHERE what = 'name' AND text <> ''), '{}') AS names,
                  coalesce(array_agg(DISTINCT text) FILTER (WHERE what = 'address'), '{}') AS addresses,
                  coalesce(array_agg(DISTINCT text) FILTER (WHERE what = 'scim'), '{}') AS provisioned,
                  coalesce(to_json(array_agg(DISTINCT call_id) FILTER (WHERE call_id IS NOT NULL)), '[]') AS "callIds"
           FROM changes CROSS JOIN LATERAL (
             SELECT 'name' AS what, employee_id AS text
             UNION ALL
             SELECT what, value FROM (VALUES
               ('employeeID', 'name'), ('username', 'name'), ('signInName', 'address'), ('email', 'address'), ('scim', 'scim')
             ) AS field (name, what)
               CROSS JOIN LATERAL (VALUES (fields -> name ->> 'before'), (fields -> name ->> 'after')) AS logged (value)
             WHERE value IS NOT NULL) AS held
           WHERE seq = ANY (ARRAY(${changesOfUsers})) AND user_serial IS NOT NULL
           GROUP BY user_serial`,
    values: [plainArray(serials)],
  });
  return rows;
}

/** Keeps that fields changed, but not their values. */
export async function eraseLoggedValues(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-logged-values',
    text: `UPDATE changes SET employee_id = '', fields = coalesce(
             (SELECT json_object_agg(key, '{"before":null,"after":null}'::json) FROM json_each(fields)), '{}')
           WHERE seq = ANY (ARRAY(${changesOfUsers})) AND user_serial IS NOT NULL`,
    values: [plainArray(serials)],
  });
}

/** Changes what the log says that providers knew about these users, where it mentions a manager who is unknown. */
export async function rewriteLoggedData(
  tx: Executor,
  serials: readonly string[],
  rewrite: (stored: string | null) => string | null,
): Promise<void> {
  if (serials.length === 0) return;
  const { rows } = await tx.query<{ seq: string; before: string | null; after: string | null }>({
    name: 'logged-data',
    text: `SELECT seq, fields #>> '{scim,before}' AS before, fields #>> '{scim,after}' AS after FROM changes
           WHERE seq = ANY (ARRAY(${changesOfUsers})) AND (fields ->> 'scim') LIKE '%manager:%'`,
    values: [plainArray(serials)],
  });
  const rewritten = rows.flatMap(({ seq, ...scim }) => {
    const [before, after] = [rewrite(scim.before), rewrite(scim.after)];
    return before === scim.before && after === scim.after ? [] : { seq, scim: { before, after } };
  });
  await tx.query({
    name: 'rewrite-logged-data',
    text: `UPDATE changes SET fields = (changes.fields::jsonb || rewritten.fields::jsonb)::json
           FROM unnest($1::bigint[], $2::text[]) AS rewritten (seq, fields) WHERE changes.seq = rewritten.seq`,
    values: [
      plainArray(rewritten.map(({ seq }) => seq)),
      textArray(rewritten.map(({ scim }) => JSON.stringify({ scim }))),
    ],
  });
}

/** The users among these who are in the change log. */
export async function loggedSerials(executor: Executor, serials: readonly string[]): Promise<string[]> {
  const { rows } = await executor.query<{ serial: string }>({
    name: 'logged-serials',
    text: `SELECT user_serial AS serial FROM user_changes WHERE user_serial = ANY ($1::uuid[])
           UNION SELECT user_serial FROM ONLY changes
             WHERE seq > (SELECT log_position FROM index_state) AND user_serial = ANY ($1::uuid[])
           UNION SELECT user_serial FROM archived_changes WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  return rows.map(({ serial }) => serial);
}

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
