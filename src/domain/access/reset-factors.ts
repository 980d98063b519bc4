import { deleteFactorsOf } from '../../storage/access/factors.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { type Database, transaction } from '../../storage/database.js';
import { lockUser } from '../../storage/users/read-users.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { missingUser } from '../missing-user.js';
import type { Result } from '../result.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { type FactorNoticeContext, notifyOfFactor } from './factor-changes.js';

export interface ResetFactorsContext extends FactorNoticeContext {
  readonly database: Database;
}

/** For users who have lost their factors, or whose factors somebody else may have. They sign in with their password and add new ones. */
export async function resetFactors(
  context: ResetFactorsContext,
  serial: string,
  caller: Caller,
): Promise<Result<{ removed: number }>> {
  if (!isSerial(serial)) return { ok: false, failure: noSuchSerial() };
  return transaction(context.database, async (tx) => {
    const user = await lockUser(tx, serial);
    if (!user) return { ok: false, failure: await missingUser(tx, serial) };
    const { serial: userSerial } = user;
    const removed = await deleteFactorsOf(tx, [userSerial]);
    if (removed === 0) return { ok: true, removed };
    await deleteSessionsOf(tx, [userSerial]);
    await recordAccess(tx, 'factors.reset', caller, { userSerial, detail: { removed } });
    await notifyOfFactor(context, tx, 'factorsReset', userSerial, caller);
    return { ok: true, removed };
  });
}
