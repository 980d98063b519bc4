import { usernameKey } from '../contract/users.js';
import { insertInitialPasswords } from '../storage/credentials.js';
import { transaction } from '../storage/database.js';
import { insertUsers, lockUsersByNames } from '../storage/users.js';
import { type CallMemory, type CreatePlan, type PlanItem, planCreates } from './bulk-plan.js';
import { type BulkResult, runInChunks } from './bulk-run.js';
import type { Context } from './context.js';
import { hashPasswords } from './password.js';
import { newSerial } from './serial.js';
import type { NewUser, Parsed } from './user-rules.js';

export function createUsersBulk(context: Context, parsed: readonly Parsed<NewUser>[]): Promise<BulkResult> {
  return runInChunks(parsed, context.limits, (items, past) => createChunk(context, items, past));
}

async function createChunk(
  { database }: Context,
  items: readonly PlanItem<NewUser>[],
  past: CallMemory,
): Promise<CreatePlan> {
  const births = items.map(newSerial);
  const hashes = await passwordHashes(items);
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  for (const { parsed } of items) {
    if (!parsed.ok) continue;
    employeeIDs.add(parsed.value.employeeID);
    if (parsed.value.username !== null) usernames.add(usernameKey(parsed.value.username));
  }
  return transaction(database, async (tx) => {
    const stored = await lockUsersByNames(tx, [...employeeIDs].sort(), [...usernames].sort());
    const serials = births.map((birth) => birth.serial);
    const plan = planCreates(items, stored, serials, past);
    const bornAt = new Map(births.map((birth) => [birth.serial, birth.createdAt]));
    if (plan.created.length > 0) {
      await insertUsers(
        tx,
        plan.created.map(({ serial, user }) => ({ ...user, serial, createdAt: bornAt.get(serial) as Date })),
      );
    }
    const passwords = plan.created.flatMap(({ serial, position }) => {
      const passwordHash = hashes.get(position);
      return passwordHash === undefined ? [] : [{ userSerial: serial, passwordHash }];
    });
    if (passwords.length > 0) await insertInitialPasswords(tx, passwords);
    return plan;
  });
}

/** By position in the call. Hashing is slow on purpose, so it is done before any lock is taken. */
async function passwordHashes(items: readonly PlanItem<NewUser>[]): Promise<Map<number, string>> {
  const given = items.flatMap(({ position, parsed }) =>
    parsed.ok && parsed.value.password !== null ? [{ position, password: parsed.value.password }] : [],
  );
  const hashes = await hashPasswords(given.map(({ password }) => password));
  return new Map(given.map(({ position }, index) => [position, hashes[index] as string]));
}
