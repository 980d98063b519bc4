import type { Failure } from '../../contract/errors.js';
import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { lockUsers } from '../../storage/users/read-users.js';
import { hiddenAttributes } from '../attributes/attribute-facts.js';
import type { AttributeSet } from '../attributes/attribute-set.js';
import { type Caller, changeOrigin } from '../caller.js';
import { checkQuarantine, type QuarantineSettings } from '../names/quarantined-names.js';
import { roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { type InitialPasswordContext, renewPasswords } from './insert-created.js';
import { cycleProblem } from './manager-change.js';
import { nameConflict } from './name-conflict.js';
import { isProtectedFrom, protectedUser } from './plans/protected-users.js';
import { keptInRehire } from './plans/rehire.js';
import { updatesOf } from './plans/updates.js';
import { namesTakenBy } from './taken-names.js';
import type { NoticeSettings } from './update-consequences.js';
import type { NewUser } from './user-rules.js';

export interface RehireContext extends QuarantineSettings, InitialPasswordContext, NoticeSettings {}

export type Rehired =
  | { readonly ok: true; readonly serial: string; readonly rehired: true }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Runs within a transaction: reactivates the inactive user who has the employee ID, with the data of a new user.
 * Undefined if there is none.
 */
export async function rehireUser(
  context: RehireContext,
  tx: Executor,
  { password, ...fields }: NewUser,
  passwordHash: string | undefined,
  caller: Caller,
  definitions: AttributeSet,
): Promise<Rehired | undefined> {
  const [before] = await lockUsers(tx, { employeeIDs: [fields.employeeID], usernames: [] });
  if (!before || before.isActive) return undefined;
  const hidden = await hiddenAttributes(tx, [before], caller);
  const { serial, version } = before;
  const after = { ...fields, ...keptInRehire(before, fields, hidden), serial, version };
  const problem = await rehireProblem(context, tx, { before, definitions }, after, caller);
  if (problem) return { ok: false, failure: problem };
  const author = { origin: changeOrigin(caller), caller };
  const updates = updatesOf([{ before, after, rehired: true }]);
  await applyUpdates(tx, await prepareUpdates(context, updates, author, definitions));
  await renewPasswords(context, tx, [{ user: after, password, index: 0 }], {
    origin: author.origin,
    hold: false,
    hashes: new Map(passwordHash === undefined ? [] : [[0, passwordHash]]),
    inBulk: false,
  });
  await checkQuarantine(context, tx, namesTakenBy(updates.changed));
  return { ok: true, serial: after.serial, rehired: true };
}

async function rehireProblem(
  context: RehireContext,
  tx: Executor,
  facts: { readonly before: StoredUser; readonly definitions: AttributeSet },
  after: StoredUser,
  caller: Caller,
): Promise<Failure | undefined> {
  const { before } = facts;
  const conflict = await nameConflict(context, tx, after, facts);
  if (conflict) return conflict;
  const cycle = after.managerSerial && (await cycleProblem(tx, before, after.managerSerial));
  if (cycle) return cycle;
  const roleFacts = await roleFactsOf(tx, [before], [], caller);
  return isProtectedFrom(roleFacts, before, after) ? protectedUser(undefined, before, after) : undefined;
}
