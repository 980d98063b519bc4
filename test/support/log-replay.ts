import { expect } from 'vitest';
import { parseAttributes, storedAttributes } from '../../src/contract/attribute-values.js';
import type { Executor } from '../../src/storage/database.js';

type Fields = Readonly<Record<string, unknown>>;

/** A user as stored. */
export interface UserRow {
  readonly serial: string;
  readonly version: number;
  readonly user: Fields;
  /** Whether the user is signed in. */
  readonly session: boolean;
  /** The state of the message with the initial password. */
  readonly message: string | null;
  readonly password: boolean;
  readonly updatedAt: string;
}

/** All users, ordered by employee ID. */
export async function userRows(db: Executor): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'user-rows',
    text: `SELECT serial, version, updated_at::text AS "updatedAt",
             json_build_object('employeeID', employee_id, 'name', name, 'username', username, 'email', email,
               'phone', phone, 'isActive', is_active, 'tagSerials', tag_serials,
               'organizationSerial', organization_serial, 'managerSerial', manager_serial,
               'attributes', attributes::text, 'signInName', sign_in_name, 'scim', scim::text,
               'role', (SELECT role FROM roles WHERE user_serial = serial)) AS user,
             EXISTS (SELECT FROM sessions WHERE user_serial = serial) AS session,
             (SELECT state FROM deliveries WHERE user_serial = serial AND kind = 'initial-password'
                AND state <> 'cancelled' ORDER BY id LIMIT 1) AS message,
             EXISTS (SELECT FROM credentials WHERE user_serial = serial) AS password
           FROM users ORDER BY employee_id`,
  });
  return rows;
}

export interface LogRow {
  readonly kind: string;
  /** Null in the row of a call. */
  readonly serial: string | null;
  readonly version: number;
  readonly callId: string | null;
  /** Values before and after; in the row of a call, its counts. */
  readonly fields: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  /** Identifies the transaction that wrote the row. */
  readonly transaction: string;
}

/** The change log in order, of one call or of all. */
export async function logRows(db: Executor, callId?: string): Promise<LogRow[]> {
  const { rows } = await db.query<LogRow>(
    `SELECT kind, user_serial AS serial, version, call_id AS "callId", fields, xmin::text AS transaction
     FROM changes ${callId === undefined ? '' : 'WHERE call_id = $1'} ORDER BY seq`,
    callId === undefined ? [] : [callId],
  );
  return rows;
}

type Known = Pick<UserRow, 'version' | 'user'>;

const nobody = {
  ...{ employeeID: null, name: null, username: null, email: null, phone: null, isActive: null },
  ...{ tagSerials: [], organizationSerial: null, managerSerial: null, attributes: null, role: null },
  ...{ signInName: null, scim: null },
};

type Values = Readonly<Record<string, string>> | null;

/** The log has only the attributes that changed. */
function valuesNamed(stored: unknown, ...named: unknown[]): unknown {
  const ids = named.flatMap((values) => Object.keys((values as Values) ?? {}));
  const values = Object.entries(parseAttributes((stored ?? null) as string | null));
  return Object.fromEntries(values.filter(([id]) => ids.includes(id)));
}

function withValues(stored: unknown, before: unknown, after: unknown): string | null {
  const kept = Object.entries(parseAttributes((stored ?? null) as string | null)).filter(
    ([id]) => !(id in ((before as Values) ?? {})),
  );
  return storedAttributes({ ...Object.fromEntries(kept), ...(after as Values) });
}

/**
 * The users as the change log describes them. Each change must start from the result of the previous ones, with the
 * next version, and each transaction has one row per user.
 */
export function replay(before: readonly UserRow[], log: readonly LogRow[]): Map<string, Known> {
  const there = new Map<string, Known>(
    before.map(({ serial, version, user }) => [serial, { version, user }]),
  );
  const gone = new Map<string, number>();
  const seen = new Set<string>();
  for (const { kind, serial, version, fields, transaction } of log) {
    if (serial === null) continue;
    expect(seen, 'one row for each user and transaction').not.toContain(`${serial} ${transaction}`);
    seen.add(`${serial} ${transaction}`);
    const was = there.get(serial);
    expect(kind === 'created', `${kind}: ${JSON.stringify(fields)}`).toBe(was === undefined);
    const user: Record<string, unknown> = { ...(was?.user ?? nobody) };
    for (const [field, { before: from, after }] of Object.entries(fields)) {
      const known = was ? was.user[field] : null;
      const expected = field === 'attributes' ? valuesNamed(known, from, after) : known;
      expect(from, `${field} of version ${version}`).toEqual(expected);
      expect(after).not.toEqual(from);
      user[field] = field === 'attributes' ? withValues(user[field], from, after) : after;
    }
    if (kind === 'deleted') {
      gone.set(serial, version);
      there.delete(serial);
      continue;
    }
    if (was || !gone.has(serial)) expect(version).toBe((was?.version ?? 0) + 1);
    else expect(version, 'whoever comes back does so later').toBeGreaterThan(gone.get(serial) ?? 0);
    // A user who is deactivated and rehired by one call may look unchanged, but has a new password.
    if (kind !== 'rehired') expect(Object.keys(fields)).not.toEqual([]);
    there.set(serial, { version, user });
  }
  return there;
}

/** The rows match the log. */
export function expectReplayed(
  before: readonly UserRow[],
  log: readonly LogRow[],
  after: readonly UserRow[],
): void {
  expect(replay(before, log)).toEqual(
    new Map(after.map(({ serial, version, user }) => [serial, { version, user }])),
  );
}

interface Counts {
  readonly items: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** A completed call has one row of its own in the log, after all others, and its record has the right counts. */
export async function expectCompleted(db: Executor, callId: string, counts: Counts): Promise<LogRow[]> {
  const log = await logRows(db, callId);
  const told = { ...counts, changes: log.length - 1 };
  expect(log.filter(({ kind }) => kind === 'call')).toHaveLength(1);
  expect(log.at(-1)).toMatchObject({ kind: 'call', serial: null, fields: told });
  const { rows } = await db.query(
    `SELECT state, items, succeeded, failed, changes, finished_at IS NOT NULL AS finished, claimed_until
     FROM calls WHERE id = $1`,
    [callId],
  );
  expect(rows).toEqual([{ ...told, state: 'completed', finished: true, claimed_until: null }]);
  return log;
}
