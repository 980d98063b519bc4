import { type StoredUser, usernameKey } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import type { Preview } from '../bulk/call-errors.js';
import { allItems, type ItemBlocks } from '../bulk/plan.js';
import { type BulkContext, type CallRequest, type CallRun, runCall } from '../bulk/run-call.js';
import { previewStages, type Stages } from '../bulk/stages.js';
import type { Caller } from '../caller.js';
import type { Quarantine } from '../names/quarantine.js';
import { checkQuarantine, freeNames, type Names, quarantineOf } from '../names/quarantined-names.js';
import type { PasswordHasher } from '../passwords/password.js';
import type { Parsed } from '../read-fields.js';
import { newSerial } from '../serial.js';
import { roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { chunkItemsFor } from './batches.js';
import { insertCreated, renewPasswords } from './insert-created.js';
import { type DirectoryContext, rejectUnknownSerials } from './known-serials.js';
import { type GivenPassword, passwordHashes } from './password-hashes.js';
import { type CreatePlan, planCreates } from './plans/create-plan.js';
import { noRoles, type RoleFacts } from './plans/protected-users.js';
import type { RehireContext } from './rehire-user.js';
import { freeNamesTaken } from './taken-names.js';
import type { NewUser } from './user-rules.js';

export interface BulkCreateContext extends BulkContext, DirectoryContext, RehireContext {
  readonly passwords: PasswordHasher;
}

export interface BulkCreateOptions {
  /** Holds the password messages until they are released. */
  readonly hold: boolean;
  /** Whether an item rehires an inactive user who has its employee ID. */
  readonly rehire?: boolean;
}

export async function* createUsersBulk(
  context: BulkCreateContext,
  items: ItemBlocks<NewUser>,
  request: CallRequest & BulkCreateOptions,
): CallRun {
  const parsed = await rejectUnknownSerials(context, await allItems(items), (user) => user);
  const { bulkChunkItems } = context.limits;
  const chunkItems = chunkItemsFor(bulkChunkItems, parsed, ({ tagSerials }) => tagSerials);
  const options = { ...request, kind: 'create-bulk', chunkItems } as const;
  return yield* runCall(context, options, parsed, createStages(context, request));
}

/** Plans the call without writing or locking anything. */
export async function previewCreates(
  context: BulkCreateContext,
  items: readonly Parsed<NewUser>[],
  { rehire = false, caller }: Pick<BulkCreateOptions, 'rehire'> & { readonly caller: Caller },
): Promise<Preview> {
  const parsed = await rejectUnknownSerials(context, items, (user) => user);
  return previewStages(context.database, createStages(context, { hold: false, rehire }), parsed, caller);
}

interface CreateFacts {
  readonly stored: readonly StoredUser[];
  /** Names that may be quarantined. */
  readonly free: Names;
  readonly quarantine: Quarantine;
  readonly roleFacts: RoleFacts;
}

function createStages(
  context: BulkCreateContext,
  { hold, rehire = false }: BulkCreateOptions,
): Stages<NewUser, CreateFacts, CreatePlan, ReadonlyMap<number, string>> {
  return {
    employeeIdOf: ({ employeeID }) => employeeID,
    prepare: ({ items }) => passwordHashes(context.passwords, givenPasswords(items)),
    read: async (tx, { items }, { caller, locks }) => {
      const names = namesTaken(items);
      const stored = await (locks ? lockUsers : readUsers)(tx, names);
      const free = freeNames(context, names, stored);
      const quarantine = await quarantineOf(context, tx, free);
      const roleFacts = rehire ? await rolesOfInactive(tx, stored, caller) : noRoles;
      return { stored, free, quarantine, roleFacts };
    },
    plan: (chunk, { stored, quarantine, roleFacts }, past) => {
      const serials = chunk.items.map(() => newSerial().serial);
      return planCreates(chunk, stored, serials, past, { quarantine, rehire, roleFacts });
    },
    write: async (tx, { created, rehired, updates }, { prepared: hashes, ...author }) => {
      const { origin } = author;
      if (rehired.length > 0) {
        await applyUpdates(tx, await prepareUpdates(context, updates, author));
        await renewPasswords(context, tx, rehired, { origin, hold, hashes });
      }
      await insertCreated(context, tx, created, { origin, hold, hashes });
    },
    changes: ({ created, rehired }) => created.length + rehired.length,
    verify: (tx, plan, { free }) =>
      checkQuarantine(context, tx, freeNamesTaken({ ...plan, changed: plan.updates.changed }, free)),
  };
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
