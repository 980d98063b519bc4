import type { Failure } from '../../src/contract/errors.js';
import {
  type BulkChange,
  type NewUser,
  parseBulkChange,
  parseNewUser,
  parseUpsert,
} from '../../src/domain/users/user-rules.js';
import type { Executor } from '../../src/storage/database.js';

export type ReferenceOutcome = { serial: string } | { error: Failure['error'] };

/** What a call or the service can turn on. */
export interface Rules {
  readonly rehire: boolean;
  readonly quarantine: boolean;
}

export const plainRules: Rules = { rehire: false, quarantine: false };

/** Who gave up a name last, by column and name. Kept in memory, because the reference writes no log. */
class Releases {
  readonly #lastHolders = new Map<string, string>();
  readonly #isOn: boolean;

  constructor({ quarantine }: Rules) {
    this.#isOn = quarantine;
  }

  add(column: string, before: string | null, after: string | null | undefined, serial: string): void {
    if (before === null || after === undefined) return;
    if (after === null || keyOf(column, after) !== keyOf(column, before))
      this.#lastHolders.set(keyOf(column, before), serial);
  }

  isKeptFrom(serial: string, column: string, name: string): boolean {
    const last = this.#isOn ? this.#lastHolders.get(keyOf(column, name)) : undefined;
    return last !== undefined && last !== serial;
  }
}

/** Employee IDs are case-sensitive; usernames are not. */
function keyOf(column: string, name: string): string {
  return `${column} ${column === 'username' ? name.toLowerCase() : name}`;
}

/**
 * A literal implementation of bulk updates that ignores performance: one item at a time in plain SQL, with a query for
 * each check. The engine must produce the same report and the same rows.
 */
export async function updateOneByOne(
  db: Executor,
  items: readonly unknown[],
  caller: ReferenceCaller,
  rules = plainRules,
): Promise<ReferenceOutcome[]> {
  const outcomes: ReferenceOutcome[] = [];
  const releases = new Releases(rules);
  for (const item of items) outcomes.push(await updateOne(db, item, caller, releases));
  return outcomes;
}

/** A client, and whether it has access:admin. */
export interface ReferenceCaller {
  readonly id: string;
  readonly isAdmin: boolean;
}

async function updateOne(
  db: Executor,
  item: unknown,
  caller: ReferenceCaller,
  releases: Releases,
): Promise<ReferenceOutcome> {
  const parsed = parseBulkChange(item, {});
  return parsed.ok ? applyOne(db, parsed.value, caller, releases) : { error: parsed.failure.error };
}

/** The same for bulk upserts: each item is sent as a create if no user has its employee ID, and else as an update. */
export async function upsertOneByOne(
  db: Executor,
  items: readonly unknown[],
  caller: ReferenceCaller,
  rules = plainRules,
): Promise<ReferenceOutcome[]> {
  const outcomes: ReferenceOutcome[] = [];
  const releases = new Releases(rules);
  for (const item of items) outcomes.push(await upsertOne(db, item, caller, rules, releases));
  return outcomes;
}

async function upsertOne(
  db: Executor,
  item: unknown,
  caller: ReferenceCaller,
  { rehire }: Rules,
  releases: Releases,
): Promise<ReferenceOutcome> {
  const parsed = parseUpsert(item, {});
  if (!parsed.ok) return { error: parsed.failure.error };
  const { targetEmployeeID, change } = parsed.value;
  const { newEmployeeID: _, ...given } = item as Record<string, unknown>;
  const fields = { ...given, isActive: given.isActive ?? true };
  const { rows } = await db.query('SELECT is_active FROM users WHERE employee_id = $1', [targetEmployeeID]);
  if (rows.length > 0 && rehire && !rows[0].is_active && change.isActive !== false)
    return rehireOne(db, fields, change.employeeID ?? targetEmployeeID, caller, releases);
  if (rows.length > 0) return applyOne(db, parsed.value, caller, releases);
  if ((change.employeeID ?? targetEmployeeID) !== targetEmployeeID) return { error: 'USER_NOT_FOUND' };
  return createOne(db, fields, caller.id, releases);
}

/** Reactivates a user as if it were a new one, except for the serial. */
async function rehireOne(
  db: Executor,
  item: Record<string, unknown>,
  employeeID: string,
  caller: ReferenceCaller,
  releases: Releases,
): Promise<ReferenceOutcome> {
  const parsed = parseNewUser(item, {});
  if (!parsed.ok) return { error: parsed.failure.error };
  const user = parsed.value;
  const { rows } = await db.query('SELECT serial, username FROM users WHERE employee_id = $1', [
    user.employeeID,
  ]);
  const { serial, username } = rows[0];
  const problem = await nameProblem(db, serial, { employeeID, username: user.username }, releases);
  if (problem) return problem;
  const { rows: roles } = await db.query('SELECT FROM roles WHERE user_serial = $1', [serial]);
  if (roles.length > 0 && !caller.isAdmin) return { error: 'USER_PROTECTED' };
  releases.add('employee_id', user.employeeID, employeeID, serial);
  releases.add('username', username, user.username, serial);
  for (const table of ['sessions', 'deliveries', 'credentials'])
    await db.query(`DELETE FROM ${table} WHERE user_serial = $1`, [serial]);
  await set(db, serial, { ...columnsOf(user), employee_id: employeeID });
  await givePassword(db, serial, user, caller.id);
  return { serial };
}

/** Which of the names a user cannot have. */
async function nameProblem(
  db: Executor,
  serial: string,
  wanted: { employeeID?: string | undefined; username?: string | null | undefined },
  releases: Releases,
): Promise<{ error: Failure['error'] } | undefined> {
  const { employeeID, username } = wanted;
  if (employeeID !== undefined && !(await holds(db, 'employee_id = $1 AND $2 =', employeeID, serial))) {
    const isTaken = await holds(db, 'employee_id = $1 AND $2 <>', employeeID, serial);
    if (isTaken || releases.isKeptFrom(serial, 'employee_id', employeeID))
      return { error: 'USER_EMPLOYEE_ID_EXISTS' };
  }
  if (username != null && !(await holds(db, 'lower(username) = lower($1) AND $2 =', username, serial))) {
    const isTaken = await holds(db, 'lower(username) = lower($1) AND $2 <>', username, serial);
    if (isTaken || releases.isKeptFrom(serial, 'username', username))
      return { error: 'USER_USERNAME_EXISTS' };
  }
  return undefined;
}

async function applyOne(
  db: Executor,
  { targetEmployeeID, change }: BulkChange,
  caller: ReferenceCaller,
  releases: Releases,
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

  const problem = await nameProblem(db, serial, change, releases);
  if (problem) return problem;
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
  releases.add('employee_id', targetEmployeeID, change.employeeID, serial);
  releases.add('username', username, change.username, serial);
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
export async function createOneByOne(
  db: Executor,
  items: readonly unknown[],
  rules = plainRules,
): Promise<ReferenceOutcome[]> {
  const outcomes: ReferenceOutcome[] = [];
  const caller = { id: 'another', isAdmin: false };
  const releases = new Releases(rules);
  for (const item of items) outcomes.push(await createOrRehireOne(db, item, caller, rules, releases));
  return outcomes;
}

async function createOrRehireOne(
  db: Executor,
  item: unknown,
  caller: ReferenceCaller,
  { rehire }: Rules,
  releases: Releases,
): Promise<ReferenceOutcome> {
  const parsed = parseNewUser(item, {});
  if (!rehire || !parsed.ok || !parsed.value.isActive) return createOne(db, item, caller.id, releases);
  const { employeeID } = parsed.value;
  return (await holds(db, 'employee_id = $1 AND NOT is_active AND $2 <>', employeeID, nobody))
    ? rehireOne(db, item as Record<string, unknown>, employeeID, caller, releases)
    : createOne(db, item, caller.id, releases);
}

const nobody = '00000000-0000-0000-0000-000000000000';

async function createOne(
  db: Executor,
  item: unknown,
  callerId: string,
  releases: Releases,
): Promise<ReferenceOutcome> {
  const parsed = parseNewUser(item, {});
  if (!parsed.ok) return { error: parsed.failure.error };
  const user = parsed.value;
  const problem = await nameProblem(db, nobody, user, releases);
  if (problem) return problem;
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
  await givePassword(db, serial, user, callerId);
  return { serial };
}

function columnsOf(user: NewUser): Record<string, unknown> {
  return {
    name: user.name,
    username: user.username,
    email: user.email,
    phone: user.phone,
    is_active: user.isActive,
    tag_serials: user.tagSerials,
    organization_serial: user.organizationSerial,
  };
}

async function givePassword(db: Executor, serial: string, user: NewUser, callerId: string): Promise<void> {
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
}

/** Whether a user satisfies the condition, whose last operand is the serial. */
async function holds(db: Executor, condition: string, name: string, serial: string): Promise<boolean> {
  const { rows } = await db.query(`SELECT FROM users WHERE ${condition} serial`, [name, serial]);
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
