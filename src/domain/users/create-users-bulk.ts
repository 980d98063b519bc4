import { usernameKey } from '../../contract/users.js';
import { snapshot, transaction } from '../../storage/database.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import type { Preview } from '../bulk/call-errors.js';
import { emptyNameHistory, type NameHistory } from '../bulk/name-history.js';
import { toItemOutcomes, withoutNewSerials } from '../bulk/outcomes.js';
import type { Chunk } from '../bulk/plan.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { ChunkContext } from '../bulk/run-chunks.js';
import type { Context } from '../context.js';
import type { Parsed } from '../read-fields.js';
import { newSerial } from '../serial.js';
import { chunkItemsFor } from './batches.js';
import { insertCreated } from './insert-created.js';
import { rejectUnknownSerials } from './known-serials.js';
import { type GivenPassword, passwordHashes } from './password-hashes.js';
import { type CreatePlan, planCreates } from './plans/create-plan.js';
import type { NewUser } from './user-rules.js';

export interface BulkCreateRequest extends CallRequest {
  /** Holds the password messages until they are released. */
  readonly hold: boolean;
}

export async function createUsersBulk(
  context: Context,
  items: readonly Parsed<NewUser>[],
  request: BulkCreateRequest,
): Promise<CallResult> {
  const parsed = await rejectUnknownSerials(context, items, (user) => user);
  const { bulkChunkItems } = context.limits;
  const chunkItems = chunkItemsFor(bulkChunkItems, parsed, ({ tagSerials }) => tagSerials);
  const options = { ...request, kind: 'create-bulk', chunkItems } as const;
  return runCall(context, options, parsed, {
    employeeIdOf: ({ employeeID }) => employeeID,
    sequential: (chunk, past, chunkContext) => createChunk(context, chunk, past, chunkContext, request.hold),
  });
}

/** Plans the call without writing or locking anything. */
export async function previewCreates(context: Context, items: readonly Parsed<NewUser>[]): Promise<Preview> {
  const parsed = await rejectUnknownSerials(context, items, (user) => user);
  const serials = parsed.map(() => newSerial().serial);
  const { outcomes, created } = await snapshot(context.database, async (tx) => {
    const stored = await readUsers(tx, namesTaken(parsed));
    return planCreates({ first: 0, items: parsed }, stored, serials, emptyNameHistory());
  });
  return { ok: true, outcomes: withoutNewSerials(toItemOutcomes(outcomes, true), created) };
}

async function createChunk(
  context: Context,
  chunk: Chunk<NewUser>,
  past: NameHistory,
  chunkContext: ChunkContext,
  hold: boolean,
): Promise<CreatePlan> {
  const { items } = chunk;
  const serials = items.map(() => newSerial().serial);
  const hashes = await passwordHashes(context.passwords, givenPasswords(items));
  const names = namesTaken(items);
  return transaction(context.database, async (tx) => {
    const stored = await lockUsers(tx, names);
    const plan = planCreates(chunk, stored, serials, past);
    await insertCreated(context, tx, plan.created, { origin: chunkContext.origin, hold, hashes });
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

function givenPasswords(items: readonly Parsed<NewUser>[]): GivenPassword[] {
  return items.flatMap((item, index) =>
    item.ok && item.value.password !== null ? [{ index, password: item.value.password }] : [],
  );
}
