import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

/** What is stored about how a user signs in, without secrets. */
export interface SignInData {
  readonly password: {
    readonly changedAt: string;
    readonly mustChange: boolean;
    readonly expiresAt: string | null;
  } | null;
  readonly firstSignedInAt: string | null;
  readonly sessions: readonly SessionData[];
}

interface SessionData {
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly method: string;
  readonly address: string | null;
  readonly device: string | null;
}

interface SignInRow {
  readonly changedAt: Date | null;
  readonly mustChange: boolean | null;
  readonly passwordExpiresAt: Date | null;
  readonly firstSignedInAt: Date | null;
}

export async function readSignInData(executor: Executor, serial: string): Promise<SignInData> {
  const { rows } = await executor.query<SignInRow>(
    `SELECT changed_at AS "changedAt", must_change AS "mustChange", expires_at AS "passwordExpiresAt",
            first_at AS "firstSignedInAt"
     FROM users LEFT JOIN credentials ON credentials.user_serial = serial
       LEFT JOIN signed_in_users ON signed_in_users.user_serial = serial
     WHERE serial = $1`,
    [serial],
  );
  const { rows: sessions } = await executor.query<
    SessionData & { createdAt: Date; lastSeenAt: Date; expiresAt: Date }
  >(
    `SELECT created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt", method, address, device
     FROM sessions WHERE user_serial = $1 ORDER BY created_at`,
    [serial],
  );
  const [row] = rows;
  return {
    password: row?.changedAt
      ? {
          changedAt: row.changedAt.toISOString(),
          mustChange: row.mustChange === true,
          expiresAt: row.passwordExpiresAt?.toISOString() ?? null,
        }
      : null,
    firstSignedInAt: row?.firstSignedInAt?.toISOString() ?? null,
    sessions: sessions.map((session) => ({
      ...session,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    })),
  };
}

export interface MessageAddress {
  readonly toEmail: string | null;
  readonly toPhone: string | null;
}

/** Where notices to the user are or were sent, by ID. */
export async function readMessageAddresses(
  executor: Executor,
  serial: string,
): Promise<ReadonlyMap<string, MessageAddress>> {
  const { rows } = await executor.query<MessageAddress & { id: string }>(
    `SELECT id, to_email AS "toEmail", to_phone AS "toPhone" FROM deliveries
     WHERE user_serial = $1 AND (to_email IS NOT NULL OR to_phone IS NOT NULL)`,
    [serial],
  );
  return new Map(rows.map(({ id, toEmail, toPhone }) => [id, { toEmail, toPhone }]));
}

/** What a SCIM service that users are pushed to has been told about a user. */
export interface PushedUser {
  readonly targetId: string;
  readonly target: string;
  /** Their ID there; null if they are not there. */
  readonly remoteId: string | null;
  readonly isActiveThere: boolean;
}

export async function readPushedUser(executor: Executor, serial: string): Promise<PushedUser[]> {
  const { rows } = await executor.query<PushedUser>(
    `SELECT target_id AS "targetId", name AS target, remote_id AS "remoteId", is_active_there AS "isActiveThere"
     FROM scim_target_users JOIN scim_targets ON id = target_id WHERE user_serial = $1 ORDER BY target_id`,
    [serial],
  );
  return rows;
}

/** IDs of what a user's data mentions. */
export interface MentionedIds {
  readonly organizations: readonly string[];
  readonly tags: readonly string[];
  readonly users: readonly string[];
  readonly clients: readonly string[];
  readonly feeds: readonly string[];
}

/** Names by ID. What has none is absent. */
export type MentionedNames = { readonly [Kind in keyof MentionedIds]: Readonly<Record<string, string>> };

export async function readMentionedNames(executor: Executor, ids: MentionedIds): Promise<MentionedNames> {
  const { rows } = await executor.query<{ kind: keyof MentionedIds; id: string; name: string }>(
    `SELECT 'organizations' AS kind, serial AS id, display_name AS name FROM organizations
     WHERE serial = ANY ($1::text[]) AND display_name IS NOT NULL
     UNION ALL SELECT 'tags', serial, display_name FROM tags WHERE serial = ANY ($2::text[]) AND display_name IS NOT NULL
     UNION ALL SELECT 'users', serial::text, name FROM users WHERE serial = ANY ($3::uuid[])
     UNION ALL SELECT 'clients', id, name FROM clients WHERE id = ANY ($4::text[])
     UNION ALL SELECT 'feeds', key, name FROM feeds WHERE key = ANY ($5::text[])`,
    [
      textArray(ids.organizations),
      textArray(ids.tags),
      plainArray(ids.users),
      textArray(ids.clients),
      textArray(ids.feeds),
    ],
  );
  const named = (kind: keyof MentionedIds) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name]));
  return {
    organizations: named('organizations'),
    tags: named('tags'),
    users: named('users'),
    clients: named('clients'),
    feeds: named('feeds'),
  };
}
