import { fieldChanges } from '../../src/domain/changes/field-changes.js';
import { initialDelivery } from '../../src/domain/passwords/initial-delivery.js';
import type { SecretCipher } from '../../src/domain/secrets/secret-cipher.js';
import { newSerial } from '../../src/domain/serial.js';
import { parseNewUser } from '../../src/domain/users/user-rules.js';
import type { ChangeOrigin } from '../../src/storage/changes/changes.js';
import type { Executor } from '../../src/storage/database.js';
import type { Creation } from '../../src/storage/users/insert-users.js';

export interface CreationOptions {
  readonly requestId?: string;
  readonly actor?: ChangeOrigin['actor'];
  readonly inBulk?: boolean;
  readonly hold?: boolean;
}

/** A creation without a password, from fields as a caller sends them. */
export function aCreation(cipher: SecretCipher, fields: unknown, options: CreationOptions = {}): Creation {
  const { requestId = 'a request', actor = { kind: 'client', id: 'a client' } } = options;
  const parsed = parseNewUser(fields, {});
  if (!parsed.ok) throw new Error(parsed.failure.detail);
  const { password: _, ...user } = parsed.value;
  const row = { ...user, ...newSerial(), version: 1 };
  return {
    user: row,
    delivery: initialDelivery(
      cipher,
      { ...row, password: null },
      { requestId, requestedBy: actor, inBulk: options.inBulk ?? false, hold: options.hold ?? false },
    ),
    changes: fieldChanges(null, row),
    origin: { actor, requestId, callId: null },
  };
}

/** All stored rows of these users as text, except the sequence numbers of the log. */
export async function everythingOf(executor: Executor, creations: readonly Creation[]): Promise<string[]> {
  const { rows } = await executor.query<{ row: string }>({
    name: 'everything-of',
    text: `SELECT 'user ' || to_jsonb(users)::text AS row FROM users WHERE serial = ANY ($1::uuid[])
           UNION ALL
           SELECT 'message ' || to_jsonb(deliveries)::text FROM deliveries WHERE user_serial = ANY ($1::uuid[])
           UNION ALL
           SELECT 'change ' || (to_jsonb(changes) - 'seq' || jsonb_build_object('fields', fields::text))::text
           FROM changes WHERE user_serial = ANY ($1::uuid[])
           ORDER BY row`,
    values: [creations.map(({ user }) => user.serial)],
  });
  return rows.map(({ row }) => row);
}
