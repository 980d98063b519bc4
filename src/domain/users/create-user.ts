import type { Failure } from '../../contract/errors.js';
import { usernameKey } from '../../contract/users.js';
import { insertInitialPasswords } from '../../storage/access/credentials.js';
import { type Executor, transaction } from '../../storage/database.js';
import { violatedConstraint } from '../../storage/errors.js';
import { type Creation, insertCreation } from '../../storage/users/creations.js';
import { nameHolders } from '../../storage/users/user-names.js';
import { findAnswer, type IdempotencyKey, keyInUse, storeAnswer } from '../bulk/idempotency.js';
import { type Caller, changeOrigin } from '../caller.js';
import { fieldChanges } from '../changes/field-changes.js';
import type { Context } from '../context.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import { PlanOutdated, retryOnConflict } from '../retry-on-conflict.js';
import { newSerial } from '../serial.js';
import { unknownSerialIn } from './known-serials.js';
import { employeeIdTaken, usernameTaken } from './plans/user-change.js';
import type { NewUser } from './user-rules.js';

export type Created =
  | { readonly ok: true; readonly serial: string }
  | { readonly ok: false; readonly failure: Failure };

/** A created user, and whether the answer was replayed for an idempotency key. */
export type CreatedOnce = Created & { readonly isReplay: boolean };

export async function createUser(
  context: Context,
  user: NewUser,
  caller: Caller,
  key?: IdempotencyKey,
): Promise<CreatedOnce> {
  const unknown = await unknownSerialIn(context, user);
  if (unknown) return { ok: false, failure: unknown, isReplay: false };
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
  if (password === null && !key) {
    const created = await retryOnConflict(raceAttemptsMax, () => createBatched(context, creation));
    return { ...created, isReplay: false };
  }
  // Checked before hashing the password, which is slow by design.
  const before = key && (await earlierAnswer(context, key, caller));
  if (before) return before;
  const passwordHash = password === null ? undefined : await context.passwords.hash(password);
  return retryOnConflict(raceAttemptsMax, () =>
    createInTransaction(context, creation, passwordHash, caller, key),
  );
}

async function createBatched(context: Context, creation: Creation): Promise<Created> {
  const { user } = creation;
  if (await context.batchedCreate(creation)) return { ok: true, serial: user.serial };
  const failure = await nameConflict(context.database.pool, user);
  // The holder has released the name since, or was rolled back: retry.
  if (!failure) throw new PlanOutdated();
  return { ok: false, failure };
}

/** Writes the user, the given password and the answer for the idempotency key in one transaction. */
async function createInTransaction(
  context: Context,
  creation: Creation,
  passwordHash: string | undefined,
  caller: Caller,
  key: IdempotencyKey | undefined,
): Promise<CreatedOnce> {
  const { database, limits, initialPasswords } = context;
  const { serial } = creation.user;
  const created: Created = { ok: true, serial };
  try {
    const isFirst = await transaction(database, async (tx) => {
      if (key && !(await storeAnswer(tx, key, caller, created, limits.idempotencyKeyHours))) return false;
      await insertCreation(tx, creation);
      if (passwordHash !== undefined) {
        await insertInitialPasswords(
          tx,
          [{ userSerial: serial, passwordHash }],
          initialPasswords.lifetimeHours,
        );
      }
      return true;
    });
    return key && !isFirst ? answerForTakenKey(context, key, caller) : { ...created, isReplay: false };
  } catch (error) {
    const conflict =
      violatedConstraint(error) === undefined ? undefined : await nameConflict(database.pool, creation.user);
    if (!conflict) throw error; // retried, as in createBatched
    const rejected: Created = { ok: false, failure: conflict };
    // A rejection is an answer too. If another request has taken the key meanwhile, its answer counts.
    if (key && !(await storeAnswer(database.pool, key, caller, rejected, limits.idempotencyKeyHours)))
      return answerForTakenKey(context, key, caller);
    return { ...rejected, isReplay: false };
  }
}

/** The answer that the same request got before, if any. */
async function earlierAnswer(
  context: Context,
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
  context: Context,
  key: IdempotencyKey,
  caller: Caller,
): Promise<CreatedOnce> {
  const before = await earlierAnswer(context, key, caller);
  return before ?? { ok: false, failure: keyInUse(), isReplay: false }; // the key has expired in between
}

/** Which name is taken. The index reports only one of the two; the contract puts the employee ID first. */
export async function nameConflict(
  executor: Executor,
  user: { serial: string; employeeID: string; username: string | null },
): Promise<Failure | undefined> {
  const { serial, employeeID, username } = user;
  const key = username === null ? null : usernameKey(username);
  const holders = await nameHolders(executor, { employeeID, usernameKey: key }, serial);
  if (holders.employeeID !== null) {
    return employeeIdTaken(undefined, employeeID, { serial: holders.employeeID });
  }
  if (holders.username === null || username === null) return undefined;
  return usernameTaken(undefined, username, { serial: holders.username });
}
