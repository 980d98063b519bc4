import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

export async function usersAfter(tx: Executor, serial: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<[serial: string]>({
    name: 'users-after',
    text: 'SELECT serial FROM users WHERE serial > $1 ORDER BY serial LIMIT $2',
    values: [serial, limit],
    rowMode: 'array',
  });
  return rows.map(([found]) => found);
}

/**
 * Copies what lists filter and sort by from the users table, and adjusts the number of users of each organization and
 * tag by the difference.
 */
export async function indexListing(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'index-listing',
    text: `WITH given AS MATERIALIZED (SELECT unnest($1::uuid[]) AS serial),
           before AS MATERIALIZED (
             SELECT serial, is_active, name, organization_serial, tag_serials FROM user_listing JOIN given USING (serial)),
           after AS MATERIALIZED (
             SELECT serial, is_active, name, organization_serial, tag_serials FROM users JOIN given USING (serial)),
           written AS (
             INSERT INTO user_listing (serial, is_active, name, organization_serial, tag_serials)
             SELECT * FROM after EXCEPT SELECT * FROM before ORDER BY serial
             ON CONFLICT (serial) DO UPDATE SET
               is_active = excluded.is_active, name = excluded.name,
               organization_serial = excluded.organization_serial, tag_serials = excluded.tag_serials),
           removed AS (
             DELETE FROM user_listing WHERE serial IN (SELECT serial FROM before EXCEPT SELECT serial FROM after)),
           difference AS MATERIALIZED (
             SELECT is_active, organization_serial, tag_serials, 1 AS users FROM after
             UNION ALL
             SELECT is_active, organization_serial, tag_serials, -1 FROM before),
           by_organization AS (
             INSERT INTO organizations (serial, users_total, users_active)
             SELECT organization_serial, ${difference}
             FROM difference WHERE organization_serial IS NOT NULL
             GROUP BY organization_serial ${changed} ORDER BY organization_serial
             ON CONFLICT (serial) DO UPDATE SET ${added('organizations')}),
           by_tag AS (
             INSERT INTO tags (serial, users_total, users_active)
             SELECT tag, ${difference}
             FROM difference CROSS JOIN LATERAL (SELECT DISTINCT unnest(tag_serials) AS tag) AS tagged
             GROUP BY tag ${changed} ORDER BY tag
             ON CONFLICT (serial) DO UPDATE SET ${added('tags')})
           UPDATE index_state SET
             users_total = users_total + (SELECT coalesce(sum(users), 0) FROM difference),
             users_active = users_active + (SELECT coalesce(sum(users) FILTER (WHERE is_active), 0) FROM difference)`,
    values: [plainArray(serials)],
  });
}

const difference = 'sum(users), coalesce(sum(users) FILTER (WHERE is_active), 0)';
const changed = 'HAVING sum(users) <> 0 OR coalesce(sum(users) FILTER (WHERE is_active), 0) <> 0';
const added = (table: string) =>
  `users_total = ${table}.users_total + excluded.users_total, users_active = ${table}.users_active + excluded.users_active`;

/** Empties the listing and resets what is counted with it. */
export async function resetListing(tx: Executor): Promise<void> {
  await tx.query('DELETE FROM user_listing');
  await tx.query('UPDATE organizations SET users_total = 0, users_active = 0');
  await tx.query('UPDATE tags SET users_total = 0, users_active = 0');
  await tx.query('UPDATE index_state SET users_total = 0, users_active = 0');
}
