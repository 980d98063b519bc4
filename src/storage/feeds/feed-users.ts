import { changesOfOneCall, changesOfUsers } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { newParameters, plainArray, textArray } from '../sql.js';
import { allOf, conditionsOnUsers, type UserFilters } from '../users/user-conditions.js';

/** To which feeds users belong. */
export async function feedsOf(
  executor: Executor,
  serials: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await executor.query<{ serial: string; feed: string }>({
    name: 'feeds-of',
    text: `SELECT user_serial AS serial, feed_key AS feed FROM feed_users WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  return new Map(rows.map(({ serial, feed }) => [serial, feed]));
}

/** From now on, these users belong to the feed. Those who are gone meanwhile are left out. */
export async function takeUsers(tx: Executor, feed: string, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await tx.query({
    name: 'take-users',
    text: `INSERT INTO feed_users (user_serial, feed_key) SELECT serial, $1 FROM users WHERE serial = ANY ($2::uuid[])
           ON CONFLICT (user_serial) DO UPDATE SET feed_key = excluded.feed_key`,
    values: [feed, plainArray(serials)],
  });
}

export async function releaseUsers(tx: Executor, feed: string, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await tx.query('DELETE FROM feed_users WHERE feed_key = $1 AND user_serial = ANY ($2::uuid[])', [
    feed,
    plainArray(serials),
  ]);
}

/** How many users belong to each feed. */
export async function countFeedUsers(executor: Executor): Promise<ReadonlyMap<string, number>> {
  const { rows } = await executor.query<{ feed: string; count: number }>(
    'SELECT feed_key AS feed, count(*)::integer AS count FROM feed_users GROUP BY feed_key',
  );
  return new Map(rows.map(({ feed, count }) => [feed, count]));
}

export interface ScopedUser {
  readonly serial: string;
  readonly employeeID: string;
  readonly hasRole: boolean;
  /** The feed to which the user belongs. */
  readonly feed: string | null;
}

/**
 * Active users in the scope of a feed, in pages by serial. Scalar subqueries, because a join would read the feeds of all
 * users before the page once more.
 */
export async function listActiveInScope(
  executor: Executor,
  scope: UserFilters,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ScopedUser[]> {
  const { values, parameter } = newParameters();
  const conditions = [
    ...conditionsOnUsers({ ...scope, isActive: true }, parameter),
    ...(after === undefined ? [] : [`users.serial > ${parameter(after)}::uuid`]),
  ];
  const { rows } = await executor.query<ScopedUser>({
    text: `SELECT serial, employee_id AS "employeeID",
             (SELECT true FROM roles WHERE roles.user_serial = serial LIMIT 1) IS TRUE AS "hasRole",
             (SELECT feed_key FROM feed_users WHERE feed_users.user_serial = serial) AS feed
           FROM users WHERE ${allOf(conditions)} ORDER BY serial LIMIT ${parameter(limit)}`,
    values,
  });
  return rows;
}

/** How many active users are in the scope of a feed. */
export async function countActiveInScope(executor: Executor, scope: UserFilters): Promise<number> {
  const { values, parameter } = newParameters();
  const conditions = conditionsOnUsers({ ...scope, isActive: true }, parameter);
  const { rows } = await executor.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM users WHERE ${allOf(conditions)}`,
    values,
  });
  return rows[0]?.count ?? 0;
}

/** What decides whether a feed may change a user. */
export interface FeedFacts {
  readonly isInScope: boolean;
  /** The feed to which the user belongs. */
  readonly feed: string | null;
}

/** By employee ID. */
export async function feedFacts(
  executor: Executor,
  employeeIDs: readonly string[],
  scope: UserFilters,
): Promise<ReadonlyMap<string, FeedFacts>> {
  const { values, parameter } = newParameters();
  const { rows } = await executor.query<FeedFacts & { employeeID: string }>({
    text: `SELECT employee_id AS "employeeID", (${allOf(conditionsOnUsers(scope, parameter))}) IS TRUE AS "isInScope",
             feed_key AS feed
           FROM users LEFT JOIN feed_users ON user_serial = serial
           WHERE employee_id = ANY (${parameter(textArray(employeeIDs))}::text[])`,
    values,
  });
  return new Map(rows.map(({ employeeID, ...facts }) => [employeeID, facts]));
}

/** Serials of all users with a role. */
export async function listRoleHolders(executor: Executor): Promise<ReadonlySet<string>> {
  const { rows } = await executor.query<{ serial: string }>('SELECT user_serial AS serial FROM roles');
  return new Set(rows.map(({ serial }) => serial));
}

/** The values that recent changes of these users have replaced, by employee ID. */
export async function recentValues(
  executor: Executor,
  employeeIDs: readonly string[],
  days: number,
): Promise<ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>> {
  const { rows: users } = await executor.query<{ serial: string; employeeID: string }>({
    name: 'serials-of',
    text: 'SELECT serial, employee_id AS "employeeID" FROM users WHERE employee_id = ANY ($1::text[])',
    values: [textArray(employeeIDs)],
  });
  const idOf = new Map(users.map(({ serial, employeeID }) => [serial, employeeID]));
  const { rows } = await executor.query<{ serial: string; fields: Changes }>({
    name: 'recent-values',
    text: `SELECT user_serial AS serial, fields FROM changes WHERE seq = ANY (ARRAY(${changesOfUsers}))
             AND at > now() - make_interval(days => $2) AND kind IN ('updated', 'rehired')`,
    values: [plainArray([...idOf.keys()]), days],
  });
  const values = new Map<string, Readonly<Record<string, unknown>>[]>();
  for (const { serial, fields } of rows) {
    const employeeID = idOf.get(serial) as string; // only these were asked for
    const before = Object.entries(fields).map(([field, change]) => [field, change.before] as const);
    const known = values.get(employeeID) ?? [];
    known.push(Object.fromEntries(before));
    values.set(employeeID, known);
  }
  return values;
}

type Changes = Readonly<Record<string, { readonly before: unknown }>>;

/** The bulk calls of a run, newest first: the order in which they can be undone. */
export async function callsOfRun(
  executor: Executor,
  runId: string,
): Promise<{ readonly id: string; readonly changes: number; readonly isUndone: boolean }[]> {
  const { rows } = await executor.query<{ id: string; changes: number; isUndone: boolean }>(
    `SELECT id, changes, EXISTS (SELECT FROM calls AS undo WHERE undo.undoes = calls.id AND undo.state = 'completed') AS "isUndone"
     FROM calls WHERE request_id = $1 AND actor_kind = 'feed' AND undoes IS NULL AND changes > 0 ORDER BY id DESC`,
    [runId],
  );
  return rows;
}

/** What the calls of a run did. */
export interface UndoCounts {
  readonly users: number;
  /** How many of them were changed again since. */
  readonly changedSince: number;
  /** Users who would be removed, deactivated, renamed, or lose a username or contact, if nobody else had changed them. */
  readonly affected: number;
  readonly removed: number;
  readonly deactivated: number;
  readonly renamed: number;
  readonly cleared: number;
}

const isRemoved = `changes.kind = 'created'`;
const isDeactivated = `NOT ${isRemoved} AND fields->'isActive'->>'after' = 'true'`;
const isRenamed = `NOT ${isRemoved} AND fields->'employeeID' IS NOT NULL`;
const isCleared = `NOT ${isRemoved} AND (${['username', 'email', 'phone']
  .map((field) => `fields->'${field}'->>'before' IS NULL AND fields->'${field}'->>'after' IS NOT NULL`)
  .join(' OR ')})`;

/** What undoing the calls of a run would do at most. A user whom two of them changed counts twice. */
export async function countUndo(executor: Executor, callIds: readonly string[]): Promise<UndoCounts> {
  const count = (name: keyof UndoCounts, condition: string) =>
    `count(*) FILTER (WHERE serial IS NOT NULL AND (${condition}))::integer AS "${name}"`;
  const sums = { users: 0, changedSince: 0, affected: 0, removed: 0, deactivated: 0, renamed: 0, cleared: 0 };
  for (const id of callIds) {
    const { rows } = await executor.query<UndoCounts>({
      name: 'count-undo',
      text: `SELECT count(*)::integer AS users, ${count('changedSince', 'users.version > changes.version')},
               ${count('affected', [isRemoved, isDeactivated, isRenamed, isCleared].join(' OR '))},
               ${count('removed', isRemoved)}, ${count('deactivated', isDeactivated)}, ${count('renamed', isRenamed)},
               ${count('cleared', isCleared)}
             FROM ${changesOfOneCall('$1::uuid')} LEFT JOIN users ON serial = changes.user_serial
             WHERE changes.user_serial IS NOT NULL`,
      values: [id],
    });
    for (const [name, value] of Object.entries(rows[0] ?? {})) sums[name as keyof UndoCounts] += value;
  }
  return sums;
}
