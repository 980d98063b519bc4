import { expect } from 'vitest';
import { patchAttributes } from '../../src/contract/attribute-values.js';
import type { Role } from '../../src/contract/scopes.js';
import { withoutAttributes } from '../../src/domain/attributes/attribute-set.js';
import type { Executor } from '../../src/storage/database.js';

/** A user of a small directory, keyed by employee ID. */
export interface FewUser {
  readonly username: string | null;
  readonly email: boolean;
  readonly phone: boolean;
  readonly isActive: boolean;
  readonly role: Role | null;
  /** By employee ID. */
  readonly manager?: string | null;
  /** By key. `badge` is unique. */
  readonly attributes?: { readonly note: string | null; readonly badge: string | null };
}

export type FewUsers = Readonly<Record<string, FewUser>>;

/** The client that requested the messages to users with a username. */
export const requester = 'random';

/**
 * Replaces all users with these, always with the same serials, which are not in the order of employee IDs. Each is
 * signed in and has a dormant message, requested by the client `requester` if the user has a username, and otherwise by
 * nobody.
 */
export async function settle(db: Executor, users: FewUsers, read = withoutAttributes): Promise<void> {
  const attributesOf = ({ attributes }: FewUser) => {
    const values = attributes && read(attributes, {}, 'clear');
    return values?.ok ? patchAttributes(null, values.value) : null;
  };
  const rows = Object.entries(users).map(([employee_id, user]) => ({
    employee_id,
    username: user.username,
    email: user.email ? 'a@b.c' : null,
    phone: user.phone || !user.email ? '123' : null,
    is_active: user.isActive,
    role: user.role,
    manager: user.manager ?? null,
    badge: user.attributes?.badge ?? null,
    attributes: attributesOf(user),
  }));
  await db.query({
    name: 'settle-nobody', // deletes their sessions and roles, too
    text: 'WITH messages AS (DELETE FROM deliveries) DELETE FROM users',
  });
  await db.query({
    name: 'settle-users',
    text: `WITH given AS (
             SELECT md5(employee_id)::uuid AS serial, p.* FROM jsonb_to_recordset($1::jsonb)
               AS p (employee_id text, username text, email text, phone text, is_active boolean, role text,
                     manager text, badge text, attributes text)),
           new_users AS (
             INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                                tag_serials, manager_serial, attributes)
             SELECT serial, now(), now(), employee_id, 'Old', username, email, phone, is_active,
                    '{T1}', md5(manager)::uuid, attributes::jsonb FROM given),
           new_values AS (
             INSERT INTO unique_attributes (attribute_id, user_serial, value)
             SELECT id, serial, badge FROM given JOIN attributes ON key = 'badge' AND deleted_at IS NULL
             WHERE badge IS NOT NULL),
           new_roles AS (
             INSERT INTO roles (user_serial, role) SELECT serial, role FROM given WHERE role IS NOT NULL),
           new_sessions AS (
             INSERT INTO sessions (token_hash, user_serial, expires_at) SELECT serial, serial, now() + interval '1 year' FROM given)
           INSERT INTO deliveries (id, user_serial, priority, kind, state, actor_kind, actor_id)
           SELECT serial, serial, 0, 'initial-password', 'dormant',
                  CASE WHEN username IS NOT NULL THEN 'client' END,
                  CASE WHEN username IS NOT NULL THEN $2 END
           FROM given`,
    values: [JSON.stringify(rows), requester],
  });
}

/** Every value of a unique attribute is guarded, and no other. */
export async function expectGuarded(db: Executor): Promise<void> {
  const { rows } = await db.query({
    name: 'unguarded-values',
    text: `SELECT * FROM unique_attributes FULL JOIN (
             SELECT id AS attribute_id, serial AS user_serial, users.attributes ->> id::text AS value
             FROM users JOIN attributes ON is_unique AND deleted_at IS NULL AND users.attributes ? id::text) AS held
           USING (attribute_id, user_serial, value)
           WHERE unique_attributes IS NULL OR held IS NULL`,
  });
  expect(rows).toEqual([]);
}
