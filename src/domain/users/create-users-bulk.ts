import { type StoredUser, usernameKey } from '../../contract/users.js';
import { insertInitialPasswords } from '../../storage/access/credentials.js';
import { snapshot, transaction } from '../../storage/database.js';
import { insertDeliveries } from '../../storage/delivery/insert-deliveries.js';
import { byEmployeeId, insertUsers } from '../../storage/users/insert-users.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import type { Preview } from '../bulk/call-errors.js';
import { emptyNameHistory, type NameHistory } from '../bulk/name-history.js';
import { asPreviewOfCreates, toItemOutcomes } from '../bulk/outcomes.js';
import type { Chunk } from '../bulk/plan.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { ChunkContext } from '../bulk/run-chunks.js';
import { logCreated } from '../changes/log-changes.js';
import type { Context } from '../context.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import type { PasswordHasher } from '../passwords/password.js';
import type { Parsed } from '../read-fields.js';
import { type CreatedSerial, newSerial } from '../serial.js';
import { batchesOf, chunkItemsFor } from './batches.js';
import { type CreatePlan, planCreates } from './plans/create-plan.js';
import type { NewUser } from './user-rules.js';

export interface BulkCreateRequest extends CallRequest {
  /** Holds the password messages until they are released. */
  readonly hold: boolean;
}

export function createUsersBulk(
  context: Context,
  parsed: readonly Parsed<NewUser>[],
  request: BulkCreateRequest,
): Promise<CallResult> {
  const { bulkChunkItems } = context.limits;
  const chunkItems = chunkItemsFor(bulkChunkItems, parsed, ({ tagSerials }) => tagSerials);
  const options = { ...request, kind: 'create-bulk', chunkItems } as const;
  return runCall(context, options, parsed, {
    sequential: (chunk, past, chunkContext) => createChunk(context, chunk, past, chunkContext, request.hold),
  });
}

/** Plans the call without writing or locking anything. */
export async function previewCreates(
  { database }: Context,
  parsed: readonly Parsed<NewUser>[],
): Promise<Preview> {
  const serials = parsed.map(() => newSerial().serial);
  const { outcomes } = await snapshot(database, async (tx) => {
    const stored = await readUsers(tx, namesTaken(parsed));
    return planCreates({ first: 0, items: parsed }, stored, serials, emptyNameHistory());
  });
  return { ok: true, outcomes: asPreviewOfCreates(toItemOutcomes(outcomes, true)) };
}

async function createChunk(
  context: Context,
  chunk: Chunk<NewUser>,
  past: NameHistory,
  chunkContext: ChunkContext,
  hold: boolean,
): Promise<CreatePlan> {
  const { database, cipher, passwords, initialPasswords } = context;
  const { items } = chunk;
  const births = items.map(newSerial);
  const serials = births.map((birth) => birth.serial);
  const hashes = await passwordHashes(passwords, items);
  const names = namesTaken(items);
  const { requestId, actor } = chunkContext.origin;
  const delivery = { requestId: requestId ?? '', requestedBy: actor, inBulk: true, hold };
  return transaction(database, async (tx) => {
    const stored = await lockUsers(tx, names);
    const plan = planCreates(chunk, stored, serials, past);
    if (plan.created.length > 0) {
      const rows = plan.created.map(({ user: { password: _, ...user }, index }) => ({
        ...user,
        ...(births[index] as CreatedSerial),
        version: 1,
      }));
      const batches = [...batchesOf(rows.toSorted(byEmployeeId), ({ tagSerials }) => tagSerials.length)];
      for (const batch of batches) await insertUsers(tx, batch);
      await insertDeliveries(
        tx,
        plan.created.map(({ serial, user }) => initialDelivery(cipher, { ...user, serial }, delivery)),
      );
      const given = plan.created.flatMap(({ serial, index }) => {
        const passwordHash = hashes.get(index);
        return passwordHash === undefined ? [] : [{ userSerial: serial, passwordHash }];
      });
      if (given.length > 0) await insertInitialPasswords(tx, given, initialPasswords.lifetimeHours);
      for (const batch of batches)
        await logCreated(tx, batch satisfies readonly StoredUser[], chunkContext.origin);
    }
    await chunkContext.record(tx, plan, plan.created.length);
    return plan;
  });
}

function namesTaken(items: readonly Parsed<NewUser>[]): UserSelection {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    employeeIDs.add(item.value.employeeID);
    if (item.value.username !== null) usernames.add(usernameKey(item.value.username));
  }
  return { employeeIDs: [...employeeIDs], usernames: [...usernames] };
}

/** By index in the chunk. Hashing is slow by design, so it happens before any lock is taken. */
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
