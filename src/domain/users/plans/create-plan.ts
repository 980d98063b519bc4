import type { StoredUser } from '../../../contract/users.js';
import type { NameHistory } from '../../bulk/name-history.js';
import type { Chunk, PlannedOutcome } from '../../bulk/plan.js';
import type { NewUser } from '../user-rules.js';
import type { CreatedUser } from './creation.js';
import { keyOf, NameHolders } from './name-holders.js';

export interface CreatePlan {
  readonly outcomes: readonly PlannedOutcome[];
  readonly created: readonly CreatedUser[];
  readonly nameHistory: NameHistory;
}

/** Plans the outcome of each item of a bulk create. `serials` holds the serial of each item that succeeds. */
export function planCreates(
  { first, items }: Chunk<NewUser>,
  stored: readonly StoredUser[],
  serials: readonly string[],
  past: NameHistory,
): CreatePlan {
  const names = new NameHolders<{ readonly serial: string }>(past);
  for (const user of stored) {
    names.byEmployeeId.set(user.employeeID, user);
    if (user.username !== null) names.byUsername.set(keyOf(user), user);
  }
  const created: CreatedUser[] = [];
  const outcomes = items.map((item, index): PlannedOutcome => {
    if (!item.ok) return item;
    const user = item.value;
    const serial = serials[index] as string;
    const position = first + index;
    const conflict =
      names.employeeIdConflict(position, user.employeeID, serial) ??
      names.usernameConflict(position, user.username, serial);
    if (conflict) return { ok: false, failure: conflict };
    names.takeEmployeeId(user.employeeID, { serial }, position);
    names.takeUsername(user.username, { serial }, position);
    const { password, ...fields } = user;
    const after = { ...fields, serial, version: 1 };
    created.push({ user: after, password, index });
    return { ok: true, serial, before: null, after };
  });
  return { outcomes, created, nameHistory: names.history };
}
