import { type Failure, failure } from '../../contract/errors.js';
import { getLogin, changePassword as storePassword } from '../../storage/access/credentials.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { transaction } from '../../storage/database.js';
import { cancelPasswordsOf, insertNotices } from '../../storage/delivery/user-deliveries.js';
import { getUser } from '../../storage/users/read-users.js';
import { recordAccess } from '../audit/access-event.js';
import { type Caller, changeOrigin, type UserActor } from '../caller.js';
import {
  chosenPasswordProblem,
  isTooLong,
  normalized,
  type PasswordProblem,
} from '../passwords/password-rules.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { noticeTo } from '../users/update-consequences.js';
import { checkOwnPassword } from './prove-identity.js';
import { type RenewedSession, renewSession, SessionEnded, sessionEnded } from './sessions.js';
import type { PasswordCheckContext } from './sign-in.js';
import { clearAttempts } from './sign-in-guard.js';

export interface ChangePasswordContext extends PasswordCheckContext {
  /** Company names that passwords must not be based on. */
  readonly companyNames: readonly string[];
  /** Expects lower case. Covers the bundled list and the operator's own. */
  readonly isCommonPassword: (password: string) => boolean;
  readonly changeNotices: boolean;
}

export type PasswordChanged =
  | { readonly ok: true; readonly session: RenewedSession }
  | { readonly ok: false; readonly failure: Failure };

/** Asks for the current password again: a session left open must not be enough. */
export async function changePassword(
  context: ChangePasswordContext,
  actor: UserActor,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  caller: Caller,
): Promise<PasswordChanged> {
  const { database, passwords } = context;
  const login = await getLogin(database.pool, actor.id);
  if (!login) return wrong();
  const words = { ...login, companyNames: context.companyNames };
  const problem = chosenPasswordProblem(newPassword, words, context.isCommonPassword);
  if (problem !== undefined) return rejected(problem);
  if (!isTooLong(currentPassword) && normalized(newPassword) === normalized(currentPassword))
    return rejected({ rule: 'unchanged', text: 'is the same as the current one. Choose another.' });

  const checked = await checkOwnPassword(context, login, currentPassword, caller);
  if (!checked.ok) return checked.failure ? { ok: false, failure: checked.failure } : wrong();
  const { known, guards } = checked;

  const newHash = await passwords.hash(newPassword);
  try {
    const session = await transaction(database, async (tx) => {
      // Lock order: deliveries before passwords, as in the sender.
      await cancelPasswordsOf(tx, [actor.id]);
      const stored = await storePassword(tx, { userSerial: actor.id, passwordId: known.id, newHash });
      if (!stored) throw new PlanOutdated(); // another password was set meanwhile: roll back
      await deleteSessionsOf(tx, [actor.id], actor.tokenHash);
      await clearAttempts(tx, guards);
      const user = context.changeNotices ? (await getUser(tx, actor.id))?.user : undefined;
      if (user) await insertNotices(tx, [noticeTo(user, ['password'])], changeOrigin(caller));
      await recordAccess(tx, 'password.changed', caller, { userSerial: actor.id });
      return renewSession(tx, actor);
    });
    return { ok: true, session };
  } catch (error) {
    if (error instanceof SessionEnded) return { ok: false, failure: sessionEnded };
    if (error instanceof PlanOutdated) return wrong();
    throw error;
  }
}

function rejected({ text, ...data }: PasswordProblem): PasswordChanged {
  return { ok: false, failure: failure('ACCESS_PASSWORD_REFUSED', `The new password ${text}`, data) };
}

function wrong(): PasswordChanged {
  return {
    ok: false,
    failure: failure('ACCESS_PASSWORD_WRONG', '"currentPassword" is not your current password.'),
  };
}
