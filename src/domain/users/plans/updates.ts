import type { ChangeableField, StoredUser } from '../../../contract/users.js';
import type { Transition } from '../../bulk/plan.js';
import { keyOf } from './name-holders.js';
import { changesAddress } from './protected-users.js';
import { noteDifferences } from './user-change.js';

/** A user who exists before and after. */
export interface Update extends Transition {
  readonly before: StoredUser;
  readonly after: StoredUser;
}

/** What a plan changes on existing users. */
export interface Updates {
  /** Every user that ends up different, once. */
  readonly changed: readonly Update[];
  /** The union of the fields that changed. */
  readonly changedFields: ReadonlySet<ChangeableField>;
  /** Users who give up a name that another user of the same plan takes. They have to release it first. */
  readonly releasedNames: {
    readonly employeeIdsOf: readonly string[];
    readonly usernamesOf: readonly string[];
    readonly signInNamesOf: readonly string[];
  };
  /** Users that any item activated or deactivated, even if a later item reverted it. */
  readonly status: StatusChanges;
  /** Users whose password destination any item changed, even if a later item reverted it. */
  readonly readdressed: readonly string[];
}

export interface StatusChanges {
  readonly deactivated: readonly string[];
  readonly activated: readonly string[];
}

/** What has to be written to get users from one state to the other. */
export function updatesOf(transitions: readonly Update[]): Updates {
  const changedFields = new Set<ChangeableField>();
  // A user who is deactivated and reactivated by one call looks unchanged, but has lost the role or the password.
  const changed = transitions.filter(
    ({ before, after, lostRole, rehired }) =>
      noteDifferences(before, after, changedFields) || lostRole !== undefined || rehired === true,
  );
  const renames = (['employeeID', 'username', 'signInName'] as const).some((field) =>
    changedFields.has(field),
  );
  return {
    changed,
    changedFields,
    releasedNames: namesToRelease(renames ? changed : []),
    status: changedFields.has('isActive') ? statusOf(changed) : { deactivated: [], activated: [] },
    readdressed:
      changedFields.has('email') || changedFields.has('phone')
        ? changed.flatMap(({ before, after }) => (changesAddress(before, after) ? [after.serial] : []))
        : [],
  };
}

function statusOf(changed: readonly Update[]): StatusChanges {
  const switched = changed.filter(({ before, after }) => before.isActive !== after.isActive);
  const serials = (isActive: boolean) =>
    switched.filter(({ after }) => after.isActive === isActive).map(({ after }) => after.serial);
  return { deactivated: serials(false), activated: serials(true) };
}

/** Unique indexes are checked row by row, so a name that passes from one user to another is released first. */
function namesToRelease(changed: readonly Update[]): Updates['releasedNames'] {
  const employeeIdGivers = new Map<string, string>();
  const usernameGivers = new Map<string, string>();
  const signInNameGivers = new Map<string, string>();
  for (const { before, after } of changed) {
    if (before.employeeID !== after.employeeID) employeeIdGivers.set(before.employeeID, before.serial);
    if (before.username !== null && keyOf(before) !== keyOf(after))
      usernameGivers.set(keyOf(before), before.serial);
    if (before.signInName !== null && before.signInName !== after.signInName)
      signInNameGivers.set(before.signInName, before.serial);
  }
  const giversOf = (givers: Map<string, string>, name: (user: StoredUser) => string) =>
    changed.flatMap(({ before, after }) => {
      const giver = name(before) === name(after) ? undefined : givers.get(name(after));
      return giver === undefined ? [] : [giver];
    });
  return {
    employeeIdsOf: giversOf(employeeIdGivers, (user) => user.employeeID),
    usernamesOf: giversOf(usernameGivers, keyOf),
    signInNamesOf: giversOf(signInNameGivers, ({ signInName }) => signInName ?? ''),
  };
}
