import type { LocalSignIn } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { requestPasswordLink } from '../../storage/access/password-links.js';
import { delayed, findLogin, type PasswordCheckContext } from '../access/sign-in.js';
import { admitAttempt, recoveryGuards } from '../access/sign-in-guard.js';
import { accessEvent } from '../audit/access-event.js';
import type { Sender } from '../caller.js';
import { newId } from '../serial.js';
import { linksPerHourMax } from './password-link.js';

export interface RecoveryContext extends PasswordCheckContext {
  readonly localSignIn: LocalSignIn;
  readonly passwordRecovery: boolean;
}

/** Whether users can recover their password at all. */
export function offersRecovery({
  localSignIn,
  passwordRecovery,
}: Pick<RecoveryContext, 'localSignIn' | 'passwordRecovery'>): boolean {
  return passwordRecovery && localSignIn !== 'off';
}

export type LinkRequested = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

/**
 * Sends a link to choose a new password. The caller learns nothing: whoever has the name, and whether or not somebody has
 * it, the same statements run, and the same reply follows.
 */
export async function requestLink(
  context: RecoveryContext,
  username: string,
  sender: Sender,
): Promise<LinkRequested> {
  if (!offersRecovery(context)) return { ok: false, failure: recoveryOff };
  const { database, limits, localSignIn } = context;
  const login = await findLogin(database, username);
  const guards = recoveryGuards(limits, {
    address: sender.address,
    name: username,
    userSerial: login?.serial,
  });
  const wait = await admitAttempt(database.pool, guards);
  if (wait > 0) return delayed(context, wait, sender);
  await requestPasswordLink(
    database.pool,
    { deliveryId: newId(), userSerial: login?.serial ?? null, requestId: sender.requestId },
    { localSignIn, perHourMax: linksPerHourMax },
    accessEvent('password.link-requested', sender, login ? { userSerial: login.serial } : {}),
  );
  return { ok: true };
}

const recoveryOff = failure(
  'ACCESS_LOCAL_SIGN_IN_OFF',
  'Your company does not offer to recover passwords here. Sign in with its identity provider, or ask an administrator.',
);
