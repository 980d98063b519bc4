import type { Executor } from '../database.js';
import { deleteBatch, plainArray, textArray } from '../sql.js';

export type NameKind = 'employeeID' | 'username';

/** A time in which a user held a name, and which is over. */
export interface FormerName {
  /** Usernames in lower case. Null for a time without a name. */
  readonly name: string | null;
  readonly userSerial: string;
  readonly since: Date;
  readonly until: Date;
  /** What the user was called next; null if the user was removed or got no other username. */
  readonly nextName: string | null;
}

/**
 * The end of every name of one kind in a part of the change log. Nothing ends when a user is created, unless it is a
 * removed one who is restored, with a later version. CASE makes sure that the texts of new users are not even read.
 */
function ends(kind: NameKind, part: string): string {
  const sideOf = (side: 'before' | 'after') => {
    const text = `fields -> '${kind}' ->> '${side}'`;
    return kind === 'username' ? `lower(${text})` : text;
  };
  return `SELECT '${kind}' AS kind, seq, at, user_serial, ${sideOf('before')} AS name, ${sideOf('after')} AS next_name
          FROM changes WHERE ${part} AND user_serial IS NOT NULL
            AND CASE WHEN kind = 'created' AND version = 1 THEN false ELSE fields -> '${kind}' IS NOT NULL END`;
}

/** Serials are UUIDs of version 7, which begin with the creation time in milliseconds. */
const createdAt = `to_timestamp(('x' || translate(left(user_serial::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`;

/**
 * Rows of `former_names` from a part of the change log. A name is held since the user's previous one ended, or else since
 * the user was created. The previous one is the last in the order of the log: for the latest end, the planner would go
 * through the ends of all users, from the latest on.
 */
function endedNames(kinds: readonly NameKind[], part: string): string {
  return `
    SELECT kind, name, user_serial, coalesce(previous_end, ${createdAt}) AS held_since, at AS held_until, seq, next_name
    FROM (
      SELECT ends.*, coalesce(
               lag(at) OVER (PARTITION BY kind, user_serial ORDER BY seq),
               (SELECT held_until FROM former_names
                WHERE former_names.user_serial = ends.user_serial AND former_names.kind = ends.kind
                ORDER BY former_names.seq DESC LIMIT 1)) AS previous_end
      FROM (${kinds.map((kind) => ends(kind, part)).join(' UNION ALL ')}) AS ends) AS ends
    WHERE name IS NOT NULL OR previous_end IS NOT NULL`;
}

/** Stores the names that ended between two settled numbers of the change log. Returns whose names they were, and where. */
export async function indexFormerNames(
  tx: Executor,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ userSerial: string; seq: number }[]> {
  if (after === upTo) return [];
  const { rows } = await tx.query<[userSerial: string, seq: string]>({
    name: 'index-former-names',
    text: `INSERT INTO former_names (kind, name, user_serial, held_since, held_until, seq, next_name)
           ${endedNames(['employeeID', 'username'], 'seq > $1 AND seq <= $2')}
           ON CONFLICT DO NOTHING RETURNING user_serial, seq`,
    values: [after, upTo],
    rowMode: 'array',
  });
  return rows.map(([userSerial, seq]) => ({ userSerial, seq: Number(seq) }));
}

/** Names that ended before the change log begins are in no other place. Returns true if there may be more. */
export function deleteOldFormerNames(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = 'held_until < now() - make_interval(days => $1)';
  return deleteBatch(executor, { table: 'former_names', condition, values: [olderThanDays] });
}

/** How many changes are not in `former_names` yet. Reads have to look at each of them. */
export async function unindexedNameChanges(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ count: string }>({
    name: 'unindexed-name-changes',
    text: `SELECT greatest(coalesce((SELECT max(seq) FROM changes), 0) - names_position, 0) AS count FROM index_state`,
  });
  return Number(rows[0]?.count);
}

interface Search {
  /** Of rows of `former_names`. */
  readonly condition: string;
  readonly values: readonly unknown[];
  /** If only these users are concerned, the texts of other changes need not be read. */
  readonly users?: string;
  readonly max?: number;
}

/** Former names of one kind that satisfy a condition, indexed or not, oldest first. */
async function formerNames(
  executor: Executor,
  kind: NameKind,
  { condition, values, users = 'true', max }: Search,
): Promise<FormerName[]> {
  const columns = 'name, user_serial, held_since, held_until, seq, next_name';
  const { rows } = await executor.query<FormerName>({
    text: `WITH recent AS MATERIALIZED (
             ${endedNames([kind], `seq > (SELECT names_position FROM index_state) AND ${users}`)})
           SELECT name, user_serial AS "userSerial", held_since AS since, held_until AS until, next_name AS "nextName"
           FROM (SELECT ${columns} FROM former_names WHERE kind = '${kind}' AND ${condition}
                 UNION ALL SELECT ${columns} FROM recent WHERE ${condition}
                 ${max === undefined ? '' : `LIMIT ${max}`}) AS former
           ORDER BY seq`,
    values: [...values],
  });
  return rows;
}

/** Everyone who has held one of these names and does no longer. */
export function formerHoldersOf(
  executor: Executor,
  kind: NameKind,
  names: readonly string[],
): Promise<FormerName[]> {
  return formerNames(executor, kind, { condition: 'name = ANY ($1::text[])', values: [textArray(names)] });
}

/** Who held these names at a time, and has given them up since. */
export function formerHoldersAt(
  executor: Executor,
  kind: NameKind,
  names: readonly string[],
  time: string,
): Promise<FormerName[]> {
  const condition = 'name = ANY ($1::text[]) AND held_since <= $2 AND held_until > $2';
  return formerNames(executor, kind, { condition, values: [textArray(names), time] });
}

/** All names that ended since a time, or undefined if there are more than `max`. */
export async function allNamesEndedSince(
  executor: Executor,
  kind: NameKind,
  time: string,
  max: number,
): Promise<FormerName[] | undefined> {
  const search = { condition: 'held_until > $1', values: [time], max: max + 1 };
  const ended = await formerNames(executor, kind, search);
  return ended.length > max ? undefined : ended;
}

const amongUsers = 'user_serial = ANY ($1::uuid[])';

/** The names that these users have given up since a time. */
export function namesEndedSince(
  executor: Executor,
  kind: NameKind,
  userSerials: readonly string[],
  time: string,
): Promise<FormerName[]> {
  const condition = `${amongUsers} AND held_until > $2`;
  return formerNames(executor, kind, {
    condition,
    values: [plainArray(userSerials), time],
    users: amongUsers,
  });
}

/** The former employee IDs of each of these users, oldest first. */
export async function formerEmployeeIds(
  executor: Executor,
  userSerials: readonly string[],
): Promise<FormerIds> {
  const search = { condition: amongUsers, values: [plainArray(userSerials)], users: amongUsers };
  return idsByUser(await formerNames(executor, 'employeeID', search));
}

/**
 * The same without changes that are not indexed yet. IS TRUE keeps PostgreSQL 15 from reading all former IDs through the
 * index by kind, which looks cheap while statistics say that there are none.
 */
export async function indexedFormerIds(
  executor: Executor,
  userSerials: readonly string[],
): Promise<FormerIds> {
  const { rows } = await executor.query<Pick<FormerName, 'userSerial' | 'name'>>({
    name: 'indexed-former-ids',
    text: `SELECT user_serial AS "userSerial", name FROM former_names
           WHERE user_serial = ANY ($1::uuid[]) AND (kind = 'employeeID') IS TRUE ORDER BY seq`,
    values: [plainArray(userSerials)],
  });
  return idsByUser(rows);
}

type FormerIds = ReadonlyMap<string, readonly string[]>;

function idsByUser(former: readonly Pick<FormerName, 'userSerial' | 'name'>[]): FormerIds {
  const byUser = new Map<string, string[]>();
  for (const { userSerial, name } of former) {
    const known = byUser.get(userSerial);
    if (name === null || known?.includes(name)) continue;
    if (known) known.push(name);
    else byUser.set(userSerial, [name]);
  }
  return byUser;
}

/** Who has these employee IDs now. */
export async function presentHolders(
  executor: Executor,
  employeeIDs: readonly string[],
): Promise<[employeeID: string, serial: string][]> {
  const { rows } = await executor.query<[employeeID: string, serial: string]>({
    name: 'present-holders',
    text: 'SELECT employee_id, serial FROM users WHERE employee_id = ANY ($1::text[])',
    values: [textArray(employeeIDs)],
    rowMode: 'array',
  });
  return rows;
}

/** The time of the first change that is still in the log. Undefined if nothing ever changed. */
export async function logBegin(executor: Executor): Promise<Date | undefined> {
  const { rows } = await executor.query<{ begin: Date | null }>(
    `SELECT coalesce((SELECT at FROM changes ORDER BY seq LIMIT 1), CASE WHEN pruned_to > 0 THEN now() END) AS begin
     FROM change_log`,
  );
  return rows[0]?.begin ?? undefined;
}

export async function getUserByEmployeeId(
  executor: Executor,
  employeeID: string,
): Promise<{ serial: string; name: string; createdAt: Date } | undefined> {
  const { rows } = await executor.query<{ serial: string; name: string; createdAt: Date }>({
    name: 'get-user-by-employee-id',
    text: 'SELECT serial, name, created_at AS "createdAt" FROM users WHERE employee_id = $1',
    values: [employeeID],
  });
  return rows[0];
}
