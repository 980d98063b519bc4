import type { Executor } from '../database.js';
import { newParameters, type Parameter, plainArray } from '../sql.js';
import { sourceOfMatches } from './listing-source.js';
import { freshMatches, indexedConditions, isNotFresh, type Matching } from './matching-users.js';
import { allOf, conditionsOnUsers, serialList, userConditions } from './user-conditions.js';

/** How many users match, counted up to a number and one more, or all of them. */
export async function countMatches(
  executor: Executor,
  matching: Matching,
  upTo: number | undefined,
): Promise<number> {
  const { values, parameter } = newParameters();
  const { rows } = await executor.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM (
             SELECT FROM (${matches(matching, parameter)}) AS matches
             ${upTo === undefined ? '' : `LIMIT ${upTo + 1}`}) AS counted`,
    values,
  });
  return rows[0]?.count ?? 0;
}

/** The serials of users who match, in their order. */
export async function matchingSerials(
  executor: Executor,
  matching: Matching,
  limit: number,
): Promise<string[]> {
  const { values, parameter } = newParameters();
  const { rows } = await executor.query<[serial: string]>({
    text: `SELECT serial FROM (${matches(matching, parameter)}) AS matches ORDER BY serial LIMIT ${limit}`,
    values,
    rowMode: 'array',
  });
  return rows.map(([serial]) => serial);
}

function matches({ filters, search, fresh }: Matching, parameter: Parameter): string {
  if (fresh === undefined) {
    return `SELECT serial FROM users WHERE ${allOf(conditionsOnUsers(filters, parameter))}`;
  }
  const onUsers = userConditions(filters, 'users', parameter);
  const { besides, from } = sourceOfMatches({ filters, search });
  const indexed = `SELECT serial FROM ${from(parameter)} WHERE ${allOf([
    isNotFresh(fresh, 'user_listing', parameter),
    ...indexedConditions({ filters: besides, search }, 'user_listing', parameter),
  ])}`;
  const joined =
    onUsers.length === 0
      ? `SELECT serial FROM (${indexed}) AS indexed`
      : `SELECT serial FROM (${indexed}) AS indexed JOIN users USING (serial) WHERE ${allOf(onUsers)}`;
  return `${joined} UNION ALL
    SELECT serial FROM (${freshMatches(fresh, { filters, search }, 'true', parameter)}) AS fresh`;
}

/** The number of all users. The indexer counts those it knows; the others are few. */
export async function countAllUsers(executor: Executor, fresh: readonly string[]): Promise<number> {
  const { values, parameter } = newParameters();
  const list = serialList(fresh, parameter);
  const { rows } = await executor.query<{ count: number }>({
    text: `SELECT users_total + (SELECT count(*) FROM users WHERE serial = ANY (${list}))::integer
             - (SELECT count(*) FROM user_listing WHERE serial = ANY (${list}))::integer AS count FROM index_state`,
    values,
  });
  return rows[0]?.count ?? 0;
}

const sampleUsers = 5_000;

/** The share of all users who match, from a sample of the indexed ones. */
export async function sampleShare(
  executor: Executor,
  { filters, search }: Matching,
  allUsers: number,
  users = sampleUsers,
): Promise<number> {
  const { values, parameter } = newParameters();
  const percent = parameter(Math.min(100, (100 * users) / Math.max(allUsers, 1)));
  const onUsers = userConditions(filters, 'users', parameter);
  const conditions = allOf([
    ...onUsers,
    ...indexedConditions({ filters, search }, 'sampled', parameter, 'one by one'),
  ]);
  const { rows } = await executor.query<{ share: number | null }>({
    // A condition on an organization is null for users without one.
    text: `SELECT avg(CASE WHEN ${conditions} THEN 1 ELSE 0 END)::float8 AS share
           FROM user_listing AS sampled TABLESAMPLE SYSTEM (${percent}) ${onUsers.length === 0 ? '' : 'JOIN users USING (serial)'}`,
    values,
  });
  return rows[0]?.share ?? 0;
}

export interface UsersByStatus {
  readonly active: number;
  readonly inactive: number;
}

/** How many users are active and inactive now: those that the indexer has counted, corrected by those it has not. */
export async function countByStatus(tx: Executor, fresh: readonly string[]): Promise<UsersByStatus> {
  const { rows } = await tx.query<UsersByStatus>({
    name: 'count-by-status',
    text: `SELECT users_active + active AS active, users_total - users_active + inactive AS inactive
           FROM index_state CROSS JOIN (
             SELECT coalesce(sum(users) FILTER (WHERE is_active), 0)::integer AS active,
                    coalesce(sum(users) FILTER (WHERE NOT is_active), 0)::integer AS inactive
             FROM (SELECT is_active, 1 AS users FROM users WHERE serial = ANY ($1::uuid[])
                   UNION ALL
                   SELECT is_active, -1 FROM user_listing WHERE serial = ANY ($1::uuid[])) AS changed) AS difference`,
    values: [plainArray(fresh)],
  });
  return rows[0] as UsersByStatus;
}

/** The same without the index, which may be incomplete. */
export async function countEveryUserByStatus(tx: Executor): Promise<UsersByStatus> {
  const { rows } = await tx.query<UsersByStatus>(
    `SELECT (count(*) FILTER (WHERE is_active))::integer AS active,
            (count(*) FILTER (WHERE NOT is_active))::integer AS inactive FROM users`,
  );
  return rows[0] as UsersByStatus;
}
