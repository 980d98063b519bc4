import type { Failure } from '../../contract/errors.js';
import { deleteProviderSessions, noteLogout } from '../../storage/access/provider-sign-ins.js';
import { type Database, transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Sender } from '../caller.js';
import { hashOf } from './handshake.js';
import { type IdentityProvider, logoutRememberedSeconds } from './identity-provider.js';
import { failureFor, logoutInvalid } from './sso-failures.js';

export type LoggedOut =
  | { readonly ok: true; readonly ended: number }
  | { readonly ok: false; readonly failure: Failure };

/** The provider says that a session there has ended, or all of a user, so those that they opened here end as well. */
export async function logOutWithProvider(
  database: Database,
  provider: IdentityProvider,
  token: string,
  sender: Sender,
): Promise<LoggedOut> {
  const answer = await provider.verifyLogout(token);
  if (!answer.ok) {
    return {
      ok: false,
      failure: answer.problem === 'unavailable' ? failureFor('unavailable') : logoutInvalid,
    };
  }
  const { id, ...ended } = answer.value;
  return transaction(database, async (tx): Promise<LoggedOut> => {
    if (!(await noteLogout(tx, hashOf(id), logoutRememberedSeconds)))
      return { ok: false, failure: logoutInvalid };
    const serials = await deleteProviderSessions(tx, ended);
    for (const userSerial of new Set(serials)) {
      const count = serials.filter((serial) => serial === userSerial).length;
      const detail = { method: 'provider', ended: count };
      await recordAccess(tx, 'sessions.ended', sender, { userSerial, detail });
    }
    return { ok: true, ended: serials.length };
  });
}
