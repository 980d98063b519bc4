import type { Failure } from '../../contract/errors.js';
import { getLogin, type Login } from '../../storage/access/credentials.js';
import { countRecoveryCodes } from '../../storage/access/factors.js';
import { uncountAttempt } from '../../storage/access/sign-in-guards.js';
import { type Executor, transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller, UserActor } from '../caller.js';
import { type CodeContext, type UsedCode, useCode } from '../factors/use-code.js';
import type { Result } from '../result.js';
import { type FactorNoticeContext, notifyOfFactor } from './factor-changes.js';
import { codeWrong } from './own-factors.js';
import { type RenewedSession, renewSession, SessionEnded, sessionEnded } from './sessions.js';
import { delayed, type PasswordCheckContext } from './sign-in.js';
import {
  type AttemptGuards,
  admitAttempt,
  attemptGuards,
  forgetFailuresOf,
  withdrawAttempt,
} from './sign-in-guard.js';

export interface GiveFactorContext extends PasswordCheckContext, CodeContext, FactorNoticeContext {}

/**
 * Completes a session that was opened with a password. Guesses are counted like those at passwords, before the code is
 * compared, and a correct password does not make them forgotten.
 */
export async function giveFactor(
  context: GiveFactorContext,
  actor: UserActor,
  code: string,
  caller: Caller,
): Promise<Result<{ session: RenewedSession }>> {
  const { database, limits } = context;
  const login = await getLogin(database.pool, actor.id);
  if (!login) return { ok: false, failure: sessionEnded };
  const guards = attemptGuards(limits, attemptOf(login, caller));
  const wait = await admitAttempt(database.pool, guards);
  if (wait > 0) return delayed(context, wait, caller);
  try {
    const session = await transaction(database, async (tx) => {
      if (!(await spendCode(context, tx, actor.id, code, caller))) return undefined;
      await forgetAttempts(tx, login, guards);
      // Without the password, a code proves too little: the session may have been open for hours.
      return renewSession(tx, actor, { factor: 'code', isProven: false });
    });
    if (session) return { ok: true, session };
    return { ok: false, failure: await failedAttempt(context, actor.id, caller) };
  } catch (error) {
    if (error instanceof SessionEnded) return { ok: false, failure: sessionEnded };
    await withdrawAttempt(database.pool, guards).catch(() => {});
    throw error;
  }
}

/** Under the name that passwords are guessed for, or the serial if there is none. */
export function attemptOf({ serial, username, signInName }: Login, { address }: Pick<Caller, 'address'>) {
  return { address, name: username ?? signInName ?? serial, userSerial: serial };
}

/** Within a transaction: undefined if the code is wrong. */
export async function spendCode(
  context: CodeContext & FactorNoticeContext,
  tx: Executor,
  userSerial: string,
  code: string,
  caller: Caller,
): Promise<UsedCode | undefined> {
  const used = await useCode(tx, context.cipher, userSerial, code);
  if (used === undefined) return undefined;
  await recordAccess(tx, 'factor.passed', caller, { userSerial, detail: { kind: used } });
  if (used === 'recoveryCode') {
    const left = await countRecoveryCodes(tx, userSerial);
    await recordAccess(tx, 'recovery-code.used', caller, { userSerial, detail: { left } });
    await notifyOfFactor(context, tx, 'recoveryCodeUsed', userSerial, caller);
  }
  return used;
}

/** Both parts of the sign-in have succeeded, under whichever name. */
export async function forgetAttempts(
  tx: Executor,
  { serial, username, signInName }: Login,
  { address }: AttemptGuards,
): Promise<void> {
  await uncountAttempt(tx, address); // first, as when counting: the lock order
  const names = [username, signInName, serial].filter((name) => name !== null);
  await forgetFailuresOf(tx, [{ serial, names }]);
}

export async function failedAttempt(
  { database }: Pick<CodeContext, 'database'>,
  userSerial: string,
  caller: Caller,
): Promise<Failure> {
  await recordAccess(database.pool, 'factor.failed', caller, { userSerial, detail: { kind: 'code' } });
  return codeWrong;
}
