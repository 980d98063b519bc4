import { parseAttributes } from '../../contract/attribute-values.js';
import { type Failure, takenByOf } from '../../contract/errors.js';
import { insertInitialPasswords } from '../../storage/access/credentials.js';
import { type Executor, transaction } from '../../storage/database.js';
import { violatedConstraint } from '../../storage/errors.js';
import { type Creation, insertCreation } from '../../storage/users/insert-users.js';
import { attributeFacts, refusalOf } from '../attributes/attribute-facts.js';
import { noAttributes } from '../attributes/attribute-set.js';
import { findAnswer, type IdempotencyKey, keyInUse, storeAnswer } from '../bulk/idempotency.js';
import { type Caller, changeOrigin } from '../caller.js';
import { fieldChanges } from '../changes/field-changes.js';
import type { LimitedDatabase } from '../database.js';
import { checkQuarantine } from '../names/quarantined-names.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import type { PasswordHasher } from '../passwords/password.js';
import { PlanOutdated, retryOnConflict } from '../retry-on-conflict.js';
import { newSerial } from '../serial.js';
import type { BatchedCreate } from './batched-create.js';
import { takeUniqueValues } from './insert-created.js';
import { type DirectoryContext, unknownSerialIn } from './known-serials.js';
import { managedUser } from './manager-change.js';
import { nameConflict } from './name-conflict.js';
import { type RehireContext, rehireUser } from './rehire-user.js';
import { namesTakenBy } from './taken-names.js';
import type { NewUser } from './user-rules.js';

export interface CreateUserContext extends LimitedDatabase, DirectoryContext, RehireContext {
  readonly batchedCreate: BatchedCreate;
  readonly passwords: PasswordHasher;
}

export type Created =
  | {
      readonly ok: true;
      readonly serial: string;
      /** An inactive user was reactivated instead. */
      readonly rehired?: true;
    }
  | { readonly ok: false; readonly failure: Failure };

/** A created user, and whether the answer was replayed for an idempotency key. */
export type CreatedOnce = Created & { readonly isReplay: boolean };

export interface CreateOptions {
  readonly key?: IdempotencyKey | undefined;
  /** Reactivates an inactive user who has the employee ID, unless the new one is to be inactive. */
  readonly rehire?: boolean;
}

export async function createUser(
  context: CreateUserContext,
  given: NewUser,
  caller: Caller,
  { key, rehire = false }: CreateOptions = {},
): Promise<CreatedOnce> {
  const unknown = await unknownSerialIn(context, given);
  if (unknown) return { ok: false, failure: unknown, isReplay: false };
  const managed = await managedUser(context.database.pool, given);
  if (!managed.ok) return { ...managed, isReplay: false };
  const { user } = managed;
  const { password, ...fields } = user;
  const row = { ...fields, ...newSerial(), version: 1 };
  const { requestId } = caller;
  const origin = changeOrigin(caller);
  const creation = {
    user: row,
    delivery: initialDelivery(
      context.cipher,
      { ...row, password },
      { requestId, requestedBy: origin.actor, inBulk: false, hold: false },
    ),
    changes: fieldChanges(null, row),
    origin,
  };
  const { raceAttemptsMax } = context.limits;
  const rehires = rehire && user.isActive;
  if (password === null && !key && !rehires && user.attributes === null) {
    const created = await retryOnConflict(raceAttemptsMax, () => createBatched(context, creation));
    return { ...created, isReplay: false };
  }
  // Checked before hashing the password, which is slow by design.
  const before = key && (await earlierAnswer(context, key, caller));
  if (before) return before;
  const passwordHash = password === null ? undefined : await context.passwords.hash(password);
  const request = { user, creation, passwordHash, key, rehires };
  return retryOnConflict(raceAttemptsMax, () => createInTransaction(context, request, caller));
}

interface Given {
  readonly user: NewUser;
  /** What to write if the user is new. */
  readonly creation: Creation;
  readonly passwordHash: string | undefined;
  readonly key: IdempotencyKey | undefined;
  readonly rehires: boolean;
}

async function createBatched(context: CreateUserContext, creation: Creation): Promise<Created> {
  const { user } = creation;
  if (await context.batchedCreate(creation)) return { ok: true, serial: user.serial };
  const failure = await nameConflict(context, context.database.pool, user);
  // The holder has released the name since, or was rolled back: retry.
  if (!failure) throw new PlanOutdated();
  return { ok: false, failure };
}

/** Writes the user, the given password and the answer for the idempotency key in one transaction. */
async function createInTransaction(
  context: CreateUserContext,
  given: Given,
  caller: Caller,
): Promise<CreatedOnce> {
  const { database, limits } = context;
  const { user, creation, passwordHash, key, rehires } = given;
  let definitions = noAttributes;
  try {
    const created = await transaction(database, async (tx): Promise<Created> => {
      const values = parseAttributes(user.attributes);
      const patches = user.attributes === null ? [] : [values];
      const facts = await attributeFacts(tx, patches, { caller, locks: true });
      definitions = facts.definitions;
      const outdated = refusalOf(facts, values, {});
      if (outdated) return { ok: false, failure: outdated };
      const rehired = rehires
        ? await rehireUser(context, tx, user, passwordHash, caller, definitions)
        : undefined;
      const created: Created = rehired ?? { ok: true, serial: creation.user.serial };
      if (key && !(await storeAnswer(tx, key, caller, created, limits.idempotencyKeyHours)))
        throw new KeyTaken();
      if (!rehired) {
        await insertNew(context, tx, creation, passwordHash);
        await takeUniqueValues(tx, [creation.user], definitions);
      }
      return created;
    });
    return { ...created, isReplay: false };
  } catch (error) {
    if (key && error instanceof KeyTaken) return answerForTakenKey(context, key, caller);
    const isAboutNames = error instanceof PlanOutdated || violatedConstraint(error) !== undefined;
    const conflict =
      isAboutNames && (await nameConflict(context, database.pool, creation.user, { definitions }));
    // Without a conflict it is retried, as in createBatched. So is a rehire whose user has just become inactive.
    if (!conflict || (rehires && takenByOf(conflict)?.isActive === false)) throw error;
    const rejected: Created = { ok: false, failure: conflict };
    // A rejection is an answer too. If another request has taken the key meanwhile, its answer counts.
    if (key && !(await storeAnswer(database.pool, key, caller, rejected, limits.idempotencyKeyHours)))
      return answerForTakenKey(context, key, caller);
    return { ...rejected, isReplay: false };
  }
}

/** Another request has taken the idempotency key. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

async function insertNew(
  context: CreateUserContext,
  tx: Executor,
  creation: Creation,
  passwordHash: string | undefined,
): Promise<void> {
  const { user } = creation;
  await insertCreation(tx, creation);
  if (passwordHash !== undefined) {
    const passwords = [{ userSerial: user.serial, passwordHash }];
    await insertInitialPasswords(tx, passwords, context.initialPasswordLifetimeHours);
  }
  await checkQuarantine(context, tx, namesTakenBy([{ after: user }]));
}

/** The answer that the same request got before, if any. */
async function earlierAnswer(
  context: CreateUserContext,
  key: IdempotencyKey,
  caller: Caller,
): Promise<CreatedOnce | undefined> {
  const before = await findAnswer<Created>(context, key, caller);
  if (before === undefined) return undefined;
  return 'error' in before
    ? { ok: false, failure: before, isReplay: false }
    : { ...before.answer, isReplay: true };
}

/** Called when another request has already taken the key. */
async function answerForTakenKey(
  context: CreateUserContext,
  key: IdempotencyKey,
  caller: Caller,
): Promise<CreatedOnce> {
  const before = await earlierAnswer(context, key, caller);
  return before ?? { ok: false, failure: keyInUse(), isReplay: false }; // the key has expired in between
}
