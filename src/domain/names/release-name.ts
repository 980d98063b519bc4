import { type Failure, failure } from '../../contract/errors.js';
import { employeeIdField, usernameField } from '../../contract/fields.js';
import { usernameKey } from '../../contract/users.js';
import { type Executor, transaction } from '../../storage/database.js';
import { formerHoldersOf } from '../../storage/names/former-names.js';
import { endQuarantine, lastReleases } from '../../storage/names/quarantined-names.js';
import { anyNameHeld } from '../../storage/users/user-names.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { quoted } from '../read-fields.js';
import { namesProblem } from './holders-then.js';
import { type NameField, quarantineEnd } from './quarantine.js';
import type { QuarantineContext } from './quarantined-names.js';

export interface ReleasedName {
  /** Null if the name was not quarantined, so that there was nothing to do. */
  readonly wasQuarantinedUntil: string | null;
}

const nouns = { employeeID: 'employee ID', username: 'username' } as const;
const fields = { employeeID: employeeIdField, username: usernameField } as const;

/** Ends the quarantine of a name, so that anyone can take it. */
export async function releaseName(
  { database, quarantineDays }: QuarantineContext,
  { field, value }: { readonly field: NameField; readonly value: string },
  caller: Caller,
): Promise<ReleasedName | Failure> {
  if (!fields[field].accepts(value)) return neverHeld(field, quoted(value));
  const name = field === 'username' ? usernameKey(value) : value;
  const days = quarantineDays[field];
  return transaction(database, async (tx): Promise<ReleasedName | Failure> => {
    const problem = await namesProblem(tx);
    if (problem) return problem;
    const isHeld = await hasHolder(tx, field, name);
    const [release] = isHeld ? [] : await lastReleases(tx, field, [name], days);
    const isKnown = isHeld || release || (await formerHoldersOf(tx, field, [name])).length > 0;
    if (!isKnown) return neverHeld(field, value);
    if (!release) return { wasQuarantinedUntil: null };
    const wasQuarantinedUntil = quarantineEnd(release.at, days).toISOString();
    await endQuarantine(tx, field, release);
    await recordAccess(tx, 'name.released', caller, {
      ...(release.userSerial === null ? {} : { userSerial: release.userSerial }),
      detail: { field, value: name, wasQuarantinedUntil },
    });
    return { wasQuarantinedUntil };
  });
}

function hasHolder(tx: Executor, field: NameField, name: string): Promise<boolean> {
  return anyNameHeld(tx, {
    employeeIDs: field === 'employeeID' ? [name] : [],
    usernames: field === 'username' ? [name] : [],
  });
}

export function neverHeld(field: NameField, value: string): Failure {
  return failure(
    'USER_NOT_FOUND',
    `No user has or had the ${nouns[field]} "${value}".`,
    field === 'employeeID' ? { employeeID: value } : {},
  );
}
