import type { StoredUser } from '../../contract/users.js';
import { deletePasswords, insertInitialPasswords } from '../../storage/access/credentials.js';
import { deleteFactorsOf } from '../../storage/access/factors.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { renewUniqueValues } from '../../storage/attributes/attributes.js';
import type { ChangeOrigin } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import { cancelPasswordsOf, insertDeliveries } from '../../storage/delivery/user-deliveries.js';
import { byEmployeeId, insertUsers } from '../../storage/users/insert-users.js';
import { type AttributeSet, noAttributes } from '../attributes/attribute-set.js';
import { logCreated } from '../changes/log-changes.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { withCreatedAt } from '../serial.js';
import { batchesOf } from './batches.js';
import type { CreatedUser } from './plans/creation.js';

export interface InitialPasswordContext {
  readonly cipher: SecretCipher;
  readonly initialPasswordLifetimeHours: number;
}

export interface InsertOptions {
  readonly origin: ChangeOrigin;
  /** Holds the password messages until they are released. */
  readonly hold: boolean;
  /** The hashes of the given passwords, by the index of their item in the chunk. */
  readonly hashes: ReadonlyMap<number, string>;
  /** Messages of bulk calls, which is the default, are sent after those of single users. */
  readonly inBulk?: boolean;
  readonly attributes?: AttributeSet;
}

/** Runs within a transaction: inserts users with their passwords, password messages and change log rows. */
export async function insertCreated(
  context: InitialPasswordContext,
  tx: Executor,
  created: readonly CreatedUser[],
  options: InsertOptions,
): Promise<void> {
  if (created.length === 0) return;
  const users = created.map(({ user }) => user).sort(byEmployeeId);
  const batches = [...batchesOf(users, ({ tagSerials }) => tagSerials.length)];
  for (const batch of batches) {
    await insertUsers(
      tx,
      batch.map((user) => ({ ...user, ...withCreatedAt(user.serial) })),
    );
  }
  await takeUniqueValues(tx, users, options.attributes);
  await insertPasswords(context, tx, created, options);
  for (const batch of batches) await logCreated(tx, batch, options.origin);
}

/** The values of unique attributes of new users. */
export function takeUniqueValues(
  tx: Executor,
  users: readonly Pick<StoredUser, 'serial' | 'attributes'>[],
  attributes: AttributeSet = noAttributes,
): Promise<void> {
  const taking = users.filter((user) => attributes.changesUnique(null, user.attributes));
  return renewUniqueValues(
    tx,
    taking.map(({ serial }) => serial),
  );
}

/**
 * Gives rehired users, who have been updated already, a new password. The old one and all sessions end, and messages with
 * an earlier password are not sent anymore.
 */
export async function renewPasswords(
  context: InitialPasswordContext,
  tx: Executor,
  rehired: readonly CreatedUser[],
  options: InsertOptions,
): Promise<void> {
  if (rehired.length === 0) return;
  await endPasswords(
    tx,
    rehired.map(({ user }) => user.serial),
  );
  await insertPasswords(context, tx, rehired, options);
}

/** Ends passwords, those that are waiting to be sent, second factors and sessions. */
export async function endPasswords(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  // Lock order: deliveries before passwords, as in the sender.
  await cancelPasswordsOf(tx, serials);
  await deletePasswords(tx, serials);
  await deleteFactorsOf(tx, serials);
  await deleteSessionsOf(tx, serials);
}

async function insertPasswords(
  { cipher, initialPasswordLifetimeHours }: InitialPasswordContext,
  tx: Executor,
  users: readonly CreatedUser[],
  { origin, hold, hashes, inBulk = true }: InsertOptions,
): Promise<void> {
  const { requestId, actor } = origin;
  const delivery = { requestId: requestId ?? '', requestedBy: actor, inBulk, hold };
  for (const batch of batchesOf(users, () => 0)) {
    await insertDeliveries(
      tx,
      batch.map(({ user, password }) => initialDelivery(cipher, { ...user, password }, delivery)),
    );
  }
  const given = users.flatMap(({ user, password, index }) => {
    if (password === null) return [];
    const passwordHash = hashes.get(index);
    // The user existed, or was active, when the passwords to hash were chosen.
    if (passwordHash === undefined) throw new PlanOutdated();
    return [{ userSerial: user.serial, passwordHash }];
  });
  if (given.length > 0) await insertInitialPasswords(tx, given, initialPasswordLifetimeHours);
}
