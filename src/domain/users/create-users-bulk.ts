import { type StoredUser, usernameKey } from '../../contract/users.js';
import { type Executor, snapshot, transaction } from '../../storage/database.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import { bulkPhase } from '../../telemetry/bulk-phase.js';
import type { Preview } from '../bulk/call-errors.js';
import { emptyNameHistory, type NameHistory } from '../bulk/name-history.js';
import { toItemOutcomes, withoutNewSerials } from '../bulk/outcomes.js';
import type { Chunk } from '../bulk/plan.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { ChunkContext } from '../bulk/run-chunks.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { checkQuarantine, freeNames, quarantineOf } from '../names/quarantined-names.js';
import type { Parsed } from '../read-fields.js';
import { newSerial } from '../serial.js';
import { roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { chunkItemsFor } from './batches.js';
import { insertCreated, renewPasswords } from './insert-created.js';
import { rejectUnknownSerials } from './known-serials.js';
import { type GivenPassword, passwordHashes } from './password-hashes.js';
import { type CreatePlan, planCreates } from './plans/create-plan.js';
import { noRoles, type RoleFacts } from './plans/protected-users.js';
import { freeNamesTaken } from './taken-names.js';
import type { NewUser } from './user-rules.js';

export interface BulkCreateOptions {
  /** Holds the password messages until they are released. */
  readonly hold: boolean;
  /** Whether an item rehires an inactive user who has its employee ID. */
  readonly rehire?: boolean;
}

export async function createUsersBulk(
  context: Context,
  items: readonly Parsed<NewUser>[],
  request: CallRequest & BulkCreateOptions,
): Promise<CallResult> {
  const parsed = await rejectUnknownSerials(context, items, (user) => user);
  const { bulkChunkItems } = context.limits;
  const chunkItems = chunkItemsFor(bulkChunkItems, parsed, ({ tagSerials }) => tagSerials);
  const options = { ...request, kind: 'create-bulk', chunkItems } as const;
  return runCall(context, options, parsed, {
    employeeIdOf: ({ employeeID }) => employeeID,
    sequential: (chunk, past, chunkContext) => createChunk(context, chunk, past, chunkContext, request),
  });
}

/** Plans the call without writing or locking anything. */
export async function previewCreates(
  context: Context,
  items: readonly Parsed<NewUser>[],
  { rehire = false, caller }: Pick<BulkCreateOptions, 'rehire'> & { readonly caller: Caller },
): Promise<Preview> {
  const parsed = await rejectUnknownSerials(context, items, (user) => user);
  const serials = parsed.map(() => newSerial().serial);
  const { outcomes, created } = await snapshot(context.database, async (tx) => {
    const names = namesTaken(parsed);
    const stored = await readUsers(tx, names);
    const quarantine = await quarantineOf(context, tx, freeNames(context, names, stored));
    const roleFacts = rehire ? await rolesOfInactive(tx, stored, caller) : noRoles;
    const options = { quarantine, rehire, roleFacts };
    return planCreates({ first: 0, items: parsed }, stored, serials, emptyNameHistory(), options);
  });
  return { ok: true, outcomes: withoutNewSerials(toItemOutcomes(outcomes, true), created) };
}

async function createChunk(
  context: Context,
  chunk: Chunk<NewUser>,
  past: NameHistory,
  chunkContext: ChunkContext,
  { hold, rehire = false }: BulkCreateOptions,
): Promise<CreatePlan> {
  const { items } = chunk;
  const { origin, caller } = chunkContext;
  const serials = items.map(() => newSerial().serial);
  const hashes = await passwordHashes(context.passwords, givenPasswords(items));
  const names = namesTaken(items);
  return transaction(context.database, async (tx) => {
    const stored = await lockUsers(tx, names);
    const free = freeNames(context, names, stored);
    const quarantine = await quarantineOf(context, tx, free);
    const roleFacts = rehire ? await rolesOfInactive(tx, stored, caller) : noRoles;
    const plan = await bulkPhase(context.metrics, 'plan', () =>
      planCreates(chunk, stored, serials, past, { quarantine, rehire, roleFacts }),
    );
    const { created, rehired, updates } = plan;
    if (rehired.length > 0) {
      await applyUpdates(tx, await prepareUpdates(context, updates, chunkContext));
      await renewPasswords(context, tx, rehired, { origin, hold, hashes });
    }
    await insertCreated(context, tx, created, { origin, hold, hashes });
    await chunkContext.record(tx, plan, created.length + rehired.length);
    await checkQuarantine(context, tx, freeNamesTaken({ ...plan, changed: updates.changed }, free));
    return plan;
  });
}

/** A role can be given to an inactive user, whom a rehire must not hand over to somebody else. */
function rolesOfInactive(tx: Executor, stored: readonly StoredUser[], caller: Caller): Promise<RoleFacts> {
  const inactive = stored.filter(({ isActive }) => !isActive);
  return roleFactsOf(tx, inactive, [], caller);
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
