import type { Failure } from '../../src/contract/errors.js';
import {
  type BulkChange,
  parseBulkChange,
  parseNewUser,
  parseUpsert,
} from '../../src/domain/users/user-rules.js';
import type { Executor } from '../../src/storage/database.js';

export type ReferenceOutcome = { serial: string } | { error: Failure['error'] };

/**
 * A literal implementation of bulk updates that ignores performance: one item at a time in plain SQL, with a query for
 * each check. The engine must produce the same report and the same rows.
 */
export async function updateOneByOne(
  db: Executor,
  items: readonly unknown[],
  caller: ReferenceCaller,
): Promise<ReferenceOutcome[]> {
  const outcomes: ReferenceOutcome[] = [];
  for (const item of items) outcomes.push(await updateOne(db, item, caller));
  return outcomes;
}

/** A client, and whether it has access:admin. */
export interface ReferenceCaller {
  readonly id: string;
  readonly isAdmin: boolean;
}

async function updateOne(db: Executor, item: unknown, caller: ReferenceCaller): Promise<ReferenceOutcome> {
  const parsed = parseBulkChange(item, {});
  return parsed.ok ? applyOne(db, parsed.value, caller) : { error: parsed.failure.error };
}

/** The same for bulk upserts: each item is sent as a create if no user has its employee ID, and else as an update. */
export async function upsertOneByOne(
  db: Executor,
  items: readonly unknown[],
  caller: ReferenceCaller,
): Promise<ReferenceOutcome[]> {
  const outcomes: ReferenceOutcome[] = [];
  for (const item of items) outcomes.push(await upsertOne(db, item, caller));
  return outcomes;
}

async function upsertOne(db: Executor, item: unknown, caller: ReferenceCaller): Promise<ReferenceOutcome> {
  const parsed = parseUpsert(item, {});
  if (!parsed.ok) return { error: parsed.failure.error };
  const { targetEmployeeID, change } = parsed.value;
  if (await holds(db, 'employee_id = $1', targetEmployeeID, nobody))
    return applyOne(db, parsed.value, caller);
  if ((change.employeeID ?? targetEmployeeID) !== targetEmployeeID) return { error: 'USER_NOT_FOUND' };
  const { newEmployeeID: _, ...fields } = item as Record<string, unknown>;
  return createOne(db, fields, caller.id);
}

async function applyOne(
  db: Executor,
  { targetEmployeeID, change }: BulkChange,
  caller: ReferenceCaller,
): Promise<ReferenceOutcome> {
  const { rows } = await db.query('SELECT * FROM users WHERE employee_id = $1', [targetEmployeeID]);
  if (rows.length === 0) return { error: 'USER_NOT_FOUND' };
  const { serial, username, email, phone, is_active } = rows[0];
  const isDeactivated = is_active && change.isActive === false;
  const isReactivated = !is_active && change.isActive === true;
  const changesUsername = change.username !== undefined && change.username !== username;
  const newEmail = change.email === undefined ? email : change.email;
  const newPhone = change.phone === undefined ? phone : change.phone;
  const changesAddress = newEmail !== email || (newEmail === null && newPhone !== phone);

  if (change.employeeID !== undefined && (await holds(db, 'employee_id = $1', change.employeeID, serial))) {
    return { error: 'USER_EMPLOYEE_ID_EXISTS' };
  }
  if (change.username != null && (await holds(db, 'lower(username) = lower($1)', change.username, serial))) {
    return { error: 'USER_USERNAME_EXISTS' };
  }
  if (newEmail === null && newPhone === null) return { error: 'USER_CONTACT_REQUIRED' };
  const { rows: roles } = await db.query('SELECT FROM roles WHERE user_serial = $1', [serial]);
  const isGuarded = changesUsername || changesAddress || isReactivated;
  if (roles.length > 0 && !caller.isAdmin && isGuarded && !isDeactivated) return { error: 'USER_PROTECTED' };
  const isUnseated = change.isActive === false || change.username === null;
  if (isUnseated && (await administrators(db, serial)) === 1 && (await administrators(db)) === 1) {
    return { error: 'USER_LAST_ADMINISTRATOR' };
  }
  if (changesAddress && !caller.isAdmin) {
    await db.query(
      `UPDATE deliveries SET state = 'held'
       WHERE user_serial = $1 AND kind = 'initial-password' AND actor_id IS DISTINCT FROM $2
         AND state IN ('waiting', 'dormant', 'held', 'parked')`,
      [serial, caller.id],
    );
  }
  if (isDeactivated) {
    await db.query('DELETE FROM sessions WHERE user_serial = $1', [serial]);
    await db.query('DELETE FROM roles WHERE user_serial = $1', [serial]);
  }
  if (isReactivated) {
    await db.query(`UPDATE deliveries SET state = 'waiting' WHERE user_serial = $1 AND state = 'dormant'`, [
      serial,
    ]);
  }
  await set(db, serial, {
    employee_id: change.employeeID,
    name: change.name,
    username: change.username,
    email: change.email,
    phone: change.phone,
    is_active: change.isActive,
    tag_serials: change.tagSerials,
    organization_serial: change.organizationSerial,
  });
  return { serial };
}

/** How many administrators can sign in: of all, or only this one. */
async function administrators(db: Executor, serial?: string): Promise<number> {
  const { rows } = await db.query(
    `SELECT FROM roles JOIN users ON serial = user_serial
     WHERE role = 'administrator' AND is_active AND username IS NOT NULL AND ($1::uuid IS NULL OR serial = $1)`,
    [serial],
  );
  return rows.length;
}

/** The same for bulk creates. The serials differ from the engine's, so only the success of items can be compared. */
export async function createOneByOne(db: Executor, items: readonly unknown[]): Promise<ReferenceOutcome[]> {
  const outcomes: ReferenceOutcome[] = [];
  for (const item of items) outcomes.push(await createOne(db, item, 'another'));
  return outcomes;
}

const nobody = '00000000-0000-0000-0000-000000000000';

async function createOne(db: Executor, item: unknown, callerId: string): Promise<ReferenceOutcome> {
  const parsed = parseNewUser(item, {});
  if (!parsed.ok) return { error: parsed.failure.error };
  const user = parsed.value;
  if (await holds(db, 'employee_id = $1', user.employeeID, nobody))
    return { error: 'USER_EMPLOYEE_ID_EXISTS' };
  if (user.username !== null && (await holds(db, 'lower(username) = lower($1)', user.username, nobody))) {
    return { error: 'USER_USERNAME_EXISTS' };
  }
  const { rows } = await db.query(
    `INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                        organization_serial, tag_serials)
     VALUES (gen_random_uuid(), now(), now(), $1, $2, $3, $4, $5, $6, $7, $8) RETURNING serial`,
    [
      user.employeeID,
      user.name,
      user.username,
      user.email,
      user.phone,
      user.isActive,
      user.organizationSerial,
      user.tagSerials,
    ],
  );
  const { serial } = rows[0];
  await db.query(
    `INSERT INTO deliveries (id, user_serial, priority, kind, state, actor_kind, actor_id)
     VALUES (gen_random_uuid(), $1, 1, 'initial-password', $2, 'client', $3)`,
    [serial, user.isActive ? 'waiting' : 'dormant', callerId],
  );
  if (user.password !== null)
    await db.query(
      'INSERT INTO credentials (user_serial, password_hash, must_change) VALUES ($1, $2, true)',
      [serial, 'hash'],
    );
  return { serial };
}

async function holds(db: Executor, condition: string, name: string, exceptSerial: string): Promise<boolean> {
  const { rows } = await db.query(`SELECT FROM users WHERE ${condition} AND serial <> $2`, [
    name,
    exceptSerial,
  ]);
  return rows.length > 0;
}

/** Sets all columns that are not undefined, including null. */
async function set(db: Executor, serial: string, columns: Record<string, unknown>): Promise<void> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = given.map(([column], index) => `${column} = $${index + 2}`);
  await db.query(`UPDATE users SET ${assignments.join(', ')} WHERE serial = $1`, [
    serial,
    ...given.map(([, value]) => value),
  ]);
}
