import { type Failure, failure } from '../../contract/errors.js';
import type { Role } from '../../contract/scopes.js';
import type { ChangeableField, StoredUser } from '../../contract/users.js';
import { getRole } from '../../storage/access/roles.js';
import { type Executor, transaction } from '../../storage/database.js';
import { violatedConstraint } from '../../storage/errors.js';
import { getUser, lockUser, type VersionedUser } from '../../storage/users/read-users.js';
import { attributeFacts, refusalOf } from '../attributes/attribute-facts.js';
import { attributesTooLarge, growsTooLarge, noAttributes } from '../attributes/attribute-set.js';
import { type Caller, changeOrigin } from '../caller.js';
import { fieldChanges } from '../changes/field-changes.js';
import type { LimitedDatabase } from '../database.js';
import { missingUser } from '../missing-user.js';
import { checkQuarantine, type QuarantineSettings } from '../names/quarantined-names.js';
import { PlanOutdated, retryOnConflict } from '../retry-on-conflict.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { currentAdministrators, mayAdminister, mayRemoveAdministrator } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import type { BatchedUpdate } from './batched-update.js';
import { type DirectoryContext, unknownSerialIn } from './known-serials.js';
import { withManager } from './manager-change.js';
import { nameConflict } from './name-conflict.js';
import { concernsRole, deactivates, isProtectedFrom, protectedUser } from './plans/protected-users.js';
import { updatesOf } from './plans/updates.js';
import {
  applyChange,
  canAdminister,
  contactLost,
  lacksContact,
  lastAdministrator,
  noteDifferences,
} from './plans/user-change.js';
import { namesTakenBy } from './taken-names.js';
import type { Author, NoticeSettings } from './update-consequences.js';
import type { UserChange } from './user-rules.js';

export interface UpdateUserContext
  extends LimitedDatabase,
    DirectoryContext,
    QuarantineSettings,
    NoticeSettings {
  readonly batchedUpdate: BatchedUpdate;
}

export type Patched =
  | ({ readonly ok: true } & VersionedUser)
  | { readonly ok: false; readonly failure: Failure };

interface UpdateRequest extends Pick<Author, 'caller' | 'notify'> {
  /** Whether the caller has seen the stored version. */
  versionIsKnown(version: number): boolean;
  /** What the change is based on, if only this version is known. */
  readonly read?: VersionedUser;
  /** Writes what else belongs to the change, or says why it is rejected, before anything is written. */
  alongside?(tx: Executor, before: StoredUser, after: StoredUser): Promise<Failure | undefined>;
}

export async function updateUser(
  context: UpdateUserContext,
  serial: string,
  change: UserChange,
  { versionIsKnown, read, alongside, caller, notify }: UpdateRequest,
): Promise<Patched> {
  if (!isSerial(serial)) return { ok: false, failure: noSuchSerial() };
  const unknown = await unknownSerialIn(context, change);
  if (unknown) return { ok: false, failure: unknown };
  const together = read && (await updateTogether(context, read, change, caller));
  if (together) return together;
  return retryOnConflict(context.limits.raceAttemptsMax, async () => {
    let wanted: StoredUser | undefined;
    let stored: StoredUser | undefined;
    let definitions = noAttributes;
    const conflictIn = (executor: Executor, user: StoredUser) =>
      nameConflict(context, executor, user, { before: stored, definitions });
    try {
      return await transaction(context.database, async (tx): Promise<Patched> => {
        const patches = change.attributes ? [change.attributes] : [];
        const facts = await attributeFacts(tx, patches, { caller, locks: true });
        definitions = facts.definitions;
        const outdated = change.attributes && refusalOf(facts, change.attributes, {});
        stored = await lockUser(tx, serial);
        if (!stored) return { ok: false, failure: await missingUser(tx, serial) };
        if (!versionIsKnown(stored.version)) return { ok: false, failure: stale() };
        if (outdated) return { ok: false, failure: outdated };
        const managed = await withManager(tx, change, stored);
        if (!managed.ok) return managed;
        wanted = applyChange(stored, managed.change);
        if (growsTooLarge(stored, wanted)) return { ok: false, failure: attributesTooLarge(undefined) };
        if (lacksContact(wanted)) {
          // A taken name takes precedence over a missing contact.
          return { ok: false, failure: (await conflictIn(tx, wanted)) ?? contactLost(undefined) };
        }
        const role = concernsRole(stored, wanted) ? await getRole(tx, stored.serial) : null;
        if (isProtected(caller, role, stored, wanted)) {
          const conflict = await conflictIn(tx, wanted);
          return { ok: false, failure: conflict ?? protectedUser(undefined, stored, wanted) };
        }
        if (await removesLastAdministrator(tx, stored, wanted, change)) {
          return { ok: false, failure: (await conflictIn(tx, wanted)) ?? lastAdministrator(undefined) };
        }
        const rejection = await alongside?.(tx, stored, wanted);
        if (rejection) return { ok: false, failure: rejection };
        const lostRole = role !== null && deactivates(stored, wanted) ? role : undefined;
        const updates = updatesOf([{ before: stored, after: wanted, lostRole }]);
        const author = { origin: changeOrigin(caller), caller, notify };
        await applyUpdates(tx, await prepareUpdates(context, updates, author, definitions));
        await checkQuarantine(context, tx, namesTakenBy(updates.changed));
        return { ok: true, ...((await getUser(tx, serial)) as VersionedUser) };
      });
    } catch (error) {
      const isAboutNames = error instanceof PlanOutdated || violatedConstraint(error) !== undefined;
      const conflict = wanted && isAboutNames && (await conflictIn(context.database.pool, wanted));
      if (conflict) return { ok: false, failure: conflict };
      throw error;
    }
  });
}

/**
 * Writes a change together with those of concurrent requests, if it only concerns fields of the user. Undefined if it has
 * to be made alone, or was not written.
 */
async function updateTogether(
  { batchedUpdate }: UpdateUserContext,
  { user, version }: VersionedUser,
  change: UserChange,
  caller: Caller,
): Promise<Patched | undefined> {
  if (change.attributes !== undefined || change.managerEmployeeID !== undefined) return undefined;
  const before: StoredUser = { ...user, version };
  const after = applyChange(before, change);
  if (after === before) return { ok: true, user, version };
  const isRenamed = before.employeeID !== after.employeeID;
  if (isRenamed || concernsRole(before, after) || lacksContact(after)) return undefined;
  const fields = new Set<ChangeableField>();
  noteDifferences(before, after, fields);
  const changes = fieldChanges(before, after);
  const writtenAt = await batchedUpdate({ user: after, changes, fields, origin: changeOrigin(caller) });
  if (!writtenAt) return undefined;
  const { version: _, ...written } = after;
  const times = { createdAt: user.createdAt, updatedAt: writtenAt.toISOString() };
  return { ok: true, user: { ...written, ...times }, version: version + 1 };
}

function isProtected(caller: Caller, role: Role | null, stored: StoredUser, wanted: StoredUser): boolean {
  if (role === null) return false;
  const roles = new Map([[stored.serial, role]]);
  return isProtectedFrom({ roles, mayChangeProtected: mayAdminister(caller) }, stored, wanted);
}

async function removesLastAdministrator(
  tx: Executor,
  stored: StoredUser,
  wanted: StoredUser,
  change: UserChange,
): Promise<boolean> {
  if (!mayRemoveAdministrator(change) || !canAdminister(stored) || canAdminister(wanted)) return false;
  const able = (await currentAdministrators(tx, [stored])).filter(({ canSignIn }) => canSignIn);
  return able.length === 1 && able[0]?.serial === stored.serial;
}

function stale(): Failure {
  return failure(
    'REQUEST_PRECONDITION_FAILED',
    'The user has changed since you read it. Read it again, then resend your change with the new ETag.',
  );
}
