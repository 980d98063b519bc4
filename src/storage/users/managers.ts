import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';
import { type VersionedUser, type ViewRow, versionedUser, viewColumns } from './read-users.js';

/** Chosen at random. Whoever changes managers locks them all: two changes, each harmless, can close a circle. */
const managersLock = 4_182_007;

interface Line {
  readonly serial: string;
  readonly employeeID: string;
  readonly managerSerial: string | null;
}

/** Whom users report to. */
export interface Manager {
  readonly serial: string;
  /** Null if the user was removed or erased. */
  readonly employeeID: string | null;
  readonly name: string | null;
}

export async function readManagers(
  executor: Executor,
  serials: readonly string[],
): Promise<ReadonlyMap<string, Manager>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<Manager>({
    name: 'read-managers',
    text: 'SELECT serial, employee_id AS "employeeID", name FROM users WHERE serial = ANY ($1::uuid[])',
    values: [plainArray([...new Set(serials)])],
  });
  return new Map(rows.map((manager) => [manager.serial, manager]));
}

/** Who has this employee ID. */
export async function managerLine(executor: Executor, employeeID: string): Promise<Line | undefined> {
  const { rows } = await executor.query<Line>({
    name: 'manager-line',
    text: `SELECT serial, employee_id AS "employeeID", manager_serial AS "managerSerial" FROM users WHERE employee_id = $1`,
    values: [employeeID],
  });
  return rows[0];
}

/**
 * These users and everyone above them, by serial. With locks, nobody else changes managers until the transaction ends.
 *
 * Here and below, OFFSET keeps the planner from comparing everybody with each level of the organization.
 */
export async function reportingLines(
  executor: Executor,
  users: readonly { readonly serial: string }[],
  locks: boolean,
): Promise<ReadonlyMap<string, Line>> {
  if (locks) await executor.query('SELECT pg_advisory_xact_lock($1)', [managersLock]);
  const { rows } = await executor.query<Line>({
    name: 'reporting-lines',
    text: `WITH RECURSIVE above (serial, "employeeID", "managerSerial") AS (
             SELECT serial, employee_id, manager_serial FROM users WHERE serial = ANY ($1::uuid[])
             UNION SELECT manager.* FROM above CROSS JOIN LATERAL (
               SELECT serial, employee_id, manager_serial FROM users
               WHERE users.serial = above."managerSerial" OFFSET 0) AS manager)
           SELECT * FROM above`,
    values: [plainArray(users.map(({ serial }) => serial))],
  });
  return new Map(rows.map((line) => [line.serial, line]));
}

export type ManagerAbove = Manager & { readonly isActive: boolean };

/** From the manager of a user up to whoever has none. Longer lines are cut off. */
export async function managersAbove(
  executor: Executor,
  serial: string,
  max: number,
): Promise<ManagerAbove[]> {
  const { rows } = await executor.query<ManagerAbove>({
    name: 'managers-above',
    text: `WITH RECURSIVE above (serial, manager_serial, employee_id, name, is_active, level) AS (
             SELECT serial, manager_serial, employee_id, name, is_active, 0 FROM users WHERE serial = $1
             UNION ALL
             SELECT manager.*, level + 1 FROM above CROSS JOIN LATERAL (
               SELECT serial, manager_serial, employee_id, name, is_active FROM users
               WHERE users.serial = above.manager_serial OFFSET 0) AS manager WHERE level < $2)
           SELECT serial, employee_id AS "employeeID", name, is_active AS "isActive" FROM above WHERE level > 0 ORDER BY level`,
    values: [serial, max],
  });
  return rows;
}

/** How many users report to each of these directly, up to a number. */
export async function countReports(
  executor: Executor,
  serials: readonly string[],
  max: number,
): Promise<ReadonlyMap<string, number>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<[serial: string, count: number]>({
    name: 'count-reports',
    text: `SELECT manager, count::integer FROM unnest($1::uuid[]) AS manager CROSS JOIN LATERAL (
             SELECT count(*) FROM (SELECT FROM users WHERE manager_serial = manager LIMIT $2) AS report) AS counted`,
    values: [plainArray(serials), max],
    rowMode: 'array',
  });
  return new Map(rows);
}

export interface ReportRange {
  /** Also those who report to somebody who reports to the manager, and so on. */
  readonly all: boolean;
  /** The serial after which to continue. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Who reports to a user, in the order of their serials. */
export async function listReports(
  executor: Executor,
  managerSerial: string,
  { all, after, limit }: ReportRange,
): Promise<VersionedUser[]> {
  const below = `WITH RECURSIVE below (serial) AS (
      SELECT serial FROM users WHERE manager_serial = $1
      UNION SELECT report.serial FROM below CROSS JOIN LATERAL (
        SELECT serial FROM users WHERE manager_serial = below.serial OFFSET 0) AS report)`;
  const { rows } = await executor.query<ViewRow>({
    name: all ? 'list-all-reports' : 'list-reports',
    text: `${all ? below : ''} SELECT ${viewColumns} FROM users
           WHERE ${all ? 'serial IN (SELECT serial FROM below)' : 'manager_serial = $1'}
             AND ($2::uuid IS NULL OR serial > $2) ORDER BY serial LIMIT $3`,
    values: [managerSerial, after ?? null, limit],
  });
  return rows.map(versionedUser);
}
