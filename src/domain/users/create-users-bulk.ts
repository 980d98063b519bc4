import { type AttributePatch, parseAttributes } from '../../contract/attribute-values.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { reportingLines } from '../../storage/users/managers.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import {
  type AttributeFacts,
  attributeFacts,
  hiddenAttributes,
  withoutOutdated,
} from '../attributes/attribute-facts.js';
import type { HiddenAttributes } from '../attributes/attribute-set.js';
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
import { hasForwardManager, noReportingLines, type ReportingLines } from './plans/managers.js';
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
  // Managers who come later in the call are found at its end.
  const isSingleTransaction = hasForwardManager(
    parsed,
    ({ managerEmployeeID }) => managerEmployeeID,
    ({ employeeID }) => employeeID,
  );
  const chunkItems = isSingleTransaction
    ? parsed.length
    : chunkItemsFor(bulkChunkItems, parsed, ({ tagSerials }) => tagSerials);
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
  readonly attributes: AttributeFacts;
  readonly lines: ReportingLines;
  readonly hidden: HiddenAttributes;
}

function createStages(
  context: BulkCreateContext,
  { hold, rehire = false }: BulkCreateOptions,
): Stages<NewUser, CreateFacts, CreatePlan, ReadonlyMap<number, string>> {
  return {
    employeeIdOf: ({ employeeID }) => employeeID,
    prepare: ({ items }) => passwordHashes(context.passwords, givenPasswords(items)),
    read: async (tx, { items }, { caller, locks }) => {
      const attributes = await attributeFacts(tx, patchesIn(items), { caller, locks });
      const names = { ...namesTaken(items), serials: attributes.holders };
      const stored = await (locks ? lockUsers : readUsers)(tx, names);
      const free = freeNames(context, names, stored);
      const quarantine = await quarantineOf(context, tx, free);
      const roleFacts = rehire ? await rolesOfInactive(tx, stored, caller) : noRoles;
      const lines = names.managers ? await reportingLines(tx, stored, locks) : noReportingLines;
      const hidden = await hiddenAttributes(tx, rehire ? stored : [], caller);
      return { stored, free, quarantine, roleFacts, attributes, lines, hidden };
    },
    plan: ({ first, items: sent }, { stored, attributes: facts, free: _, ...others }, past) => {
      const items = withoutOutdated(sent, facts, (user) => parseAttributes(user.attributes), first);
      const serials = items.map(() => newSerial().serial);
      const options = { rehire, attributes: facts.definitions, ...others };
      return planCreates({ first, items }, stored, serials, past, options);
    },
    write: async (tx, { created, rehired, updates }, { prepared: hashes, facts, ...author }) => {
      const { origin } = author;
      const { definitions: attributes } = facts.attributes;
      if (rehired.length > 0) {
        await applyUpdates(tx, await prepareUpdates(context, updates, author, attributes));
        await renewPasswords(context, tx, rehired, { origin, hold, hashes });
      }
      await insertCreated(context, tx, created, { origin, hold, hashes, attributes });
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

function patchesIn(items: readonly Parsed<NewUser>[]): AttributePatch[] {
  return items.flatMap((item) =>
    item.ok && item.value.attributes !== null ? [parseAttributes(item.value.attributes)] : [],
  );
}

function namesTaken(items: readonly Parsed<NewUser>[]): UserSelection & { readonly managers: boolean } {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  const signInNames = new Set<string>();
  let managers = false;
  for (const item of items) {
    if (!item.ok) continue;
    employeeIDs.add(item.value.employeeID);
    if (item.value.username !== null) usernames.add(usernameKey(item.value.username));
    if (item.value.signInName !== null) signInNames.add(item.value.signInName);
    if (item.value.managerEmployeeID == null) continue;
    employeeIDs.add(item.value.managerEmployeeID);
    managers = true;
  }
  return {
    employeeIDs: [...employeeIDs],
    usernames: [...usernames],
    signInNames: [...signInNames],
    managers,
  };
}

function givenPasswords(items: readonly Parsed<NewUser>[]): GivenPassword[] {
  return items.flatMap((item, index) =>
    item.ok && item.value.password !== null ? [{ index, password: item.value.password }] : [],
  );
}
