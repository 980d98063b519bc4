import type { Failure } from '../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { uniqueValueHolders } from '../../storage/attributes/attributes.js';
import type { Executor } from '../../storage/database.js';
import { nameHolders } from '../../storage/users/user-names.js';
import { type AttributeSet, noAttributes } from '../attributes/attribute-set.js';
import { type QuarantineSettings, quarantineOf } from '../names/quarantined-names.js';
import { releasedBefore, type WantedName } from './plans/quarantine.js';
import { attributeTaken, employeeIdTaken, usernameTaken } from './plans/user-change.js';
import { namesTakenBy } from './taken-names.js';

type NamedUser = Pick<StoredUser, 'serial' | 'employeeID' | 'username' | 'attributes' | 'signInName'>;

interface ConflictFacts {
  readonly before?: NamedUser | undefined;
  readonly definitions?: AttributeSet;
}

/**
 * Which name of a user, or value of a unique attribute, is taken or quarantined. The index reports only one of them; the
 * contract puts the employee ID first.
 */
export async function nameConflict(
  context: QuarantineSettings,
  executor: Executor,
  user: NamedUser,
  { before, definitions = noAttributes }: ConflictFacts = {},
): Promise<Failure | undefined> {
  const { serial, employeeID, username, signInName } = user;
  const key = username === null ? null : usernameKey(username);
  const holders = await nameHolders(executor, { employeeID, usernameKey: key, signInName }, serial);
  if (holders.employeeID !== null) {
    // Whether the holder is inactive matters only to those who want to create the user.
    const isActive = before ? undefined : (holders.isActive ?? undefined);
    return employeeIdTaken(undefined, employeeID, { serial: holders.employeeID, isActive });
  }
  const [idQuarantined, usernameQuarantined] = await quarantineConflicts(context, executor, user, before);
  if (idQuarantined) return idQuarantined;
  if (holders.username !== null && username !== null)
    return usernameTaken(undefined, username, { serial: holders.username });
  if (holders.signInName !== null && signInName !== null)
    return usernameTaken(undefined, signInName, { serial: holders.signInName });
  return usernameQuarantined ?? attributeConflict(executor, user, definitions);
}

async function attributeConflict(
  executor: Executor,
  { serial, attributes }: NamedUser,
  definitions: AttributeSet,
): Promise<Failure | undefined> {
  for (const { attribute, value } of definitions.uniqueValues(attributes)) {
    const wanted = [{ attributeId: String(attribute.id), value }];
    const [holder] = await uniqueValueHolders(executor, wanted);
    if (holder !== undefined && holder !== serial) {
      return attributeTaken(undefined, attribute, { serial: holder });
    }
  }
  return undefined;
}

async function quarantineConflicts(
  context: QuarantineSettings,
  executor: Executor,
  user: NamedUser,
  before: NamedUser | undefined,
): Promise<readonly (Failure | undefined)[]> {
  const taken = namesTakenBy([before ? { before, after: user } : { after: user }]);
  const names = { employeeIDs: [...taken.employeeID.keys()], usernames: [...taken.username.keys()] };
  const quarantine = await quarantineOf(context, executor, names);
  const { serial, employeeID, username } = user;
  const wanted: readonly WantedName[] = [
    { field: 'employeeID', value: employeeID, key: employeeID, serial },
    { field: 'username', value: username ?? '', key: usernameKey(username ?? ''), serial },
  ];
  return wanted.map((name) => releasedBefore(quarantine, undefined, name));
}
