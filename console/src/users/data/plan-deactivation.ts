import { errorFrom, RollcallError } from '@rollcall/client';
import { changeUsersCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from './user.js';

/**
 * Deactivates the user at the beginning of a day, in the time zone of the service. The call selects the user by a filter
 * instead of listing them, so that it changes nothing but the status, and finds the user under a new employee ID.
 */
export async function planDeactivation({ employeeID }: User, day: string): Promise<void> {
  const body = { filter: { employeeID }, patch: { isActive: false } };
  const preview = await rollcall.call('updateMatching', { query: { dryRun: true }, body });
  const [failure] = preview.body.data.failedItems;
  if (failure) throw new RollcallError(409, errorFrom(failure.error));
  const query = { confirm: 1, effectiveAt: day, note: changeUsersCopy.kinds.deactivate };
  await rollcall.call('updateMatching', { query, body });
}
