import type { Executor } from '../database.js';

/** What is stored about how a user signs in, without secrets. */
export interface SignInData {
  readonly password: {
    readonly changedAt: string;
    readonly mustChange: boolean;
    readonly expiresAt: string | null;
  } | null;
  readonly firstSignedInAt: string | null;
  readonly sessions: readonly { readonly createdAt: string; readonly expiresAt: string }[];
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
  const { rows: sessions } = await executor.query<{ createdAt: Date; expiresAt: Date }>(
    `SELECT created_at AS "createdAt", expires_at AS "expiresAt" FROM sessions WHERE user_serial = $1
     ORDER BY created_at`,
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
    sessions: sessions.map(({ createdAt, expiresAt }) => ({
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
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
