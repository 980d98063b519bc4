import { usernameKey } from '../../contract/users.js';
import { insertInitialPasswords } from '../../storage/credentials.js';
import { transaction } from '../../storage/database.js';
import { insertDeliveries } from '../../storage/deliveries.js';
import { insertUsers, lockUsersByNames } from '../../storage/users.js';
import type { Context } from '../context.js';
import { type DeliveryOptions, initialDelivery } from '../passwords/initial-delivery.js';
import type { PasswordHasher } from '../passwords/password.js';
import type { Parsed } from '../read-fields.js';
import { type Birth, newSerial } from '../serial.js';
import { type CallMemory, type Chunk, type CreatePlan, planCreates } from './bulk-plan.js';
import { type BulkResult, runInChunks } from './bulk-run.js';
import type { NewUser } from './user-rules.js';

export function createUsersBulk(
  context: Context,
  parsed: readonly Parsed<NewUser>[],
  delivery: DeliveryOptions,
): Promise<BulkResult> {
  return runInChunks(parsed, context.limits, (chunk, past) => createChunk(context, chunk, past, delivery));
}

async function createChunk(
  context: Context,
  chunk: Chunk<NewUser>,
  past: CallMemory,
  delivery: DeliveryOptions,
): Promise<CreatePlan> {
  const { database, vault, passwords, initialPasswords } = context;
  const { items } = chunk;
  const births = items.map(newSerial);
  const serials = births.map((birth) => birth.serial);
  const hashes = await passwordHashes(passwords, items);
  const { employeeIDs, usernames } = namesTaken(items);
  return transaction(database, async (tx) => {
    const stored = await lockUsersByNames(tx, employeeIDs, usernames);
    const plan = planCreates(chunk, stored, serials, past);
    if (plan.created.length === 0) return plan;
    await insertUsers(
      tx,
      plan.created.map(({ user, index }) => ({ ...user, ...(births[index] as Birth) })),
    );
    await insertDeliveries(
      tx,
      plan.created.map(({ serial, user }) => initialDelivery(vault, { ...user, serial }, delivery)),
    );
    const given = plan.created.flatMap(({ serial, index }) => {
      const passwordHash = hashes.get(index);
      return passwordHash === undefined ? [] : [{ userSerial: serial, passwordHash }];
    });
    if (given.length > 0) await insertInitialPasswords(tx, given, initialPasswords.lifetimeHours);
    return plan;
  });
}

function namesTaken(items: readonly Parsed<NewUser>[]): { employeeIDs: string[]; usernames: string[] } {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    employeeIDs.add(item.value.employeeID);
    if (item.value.username !== null) usernames.add(usernameKey(item.value.username));
  }
  return { employeeIDs: [...employeeIDs].sort(), usernames: [...usernames].sort() };
}

/** By index in the chunk. Hashing is slow on purpose, so it is done before any lock is taken. */
async function passwordHashes(
  passwords: PasswordHasher,
  items: readonly Parsed<NewUser>[],
): Promise<Map<number, string>> {
  const given = items.flatMap((item, index) =>
    item.ok && item.value.password !== null ? [{ index, password: item.value.password }] : [],
  );
  const hashes = await passwords.hashAll(given.map(({ password }) => password));
  return new Map(given.map(({ index }, at) => [index, hashes[at] as string]));
}
