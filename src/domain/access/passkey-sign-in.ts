import { v7 } from 'uuid';
import type { PasskeyAssertion } from '../../contract/factors.js';
import { scopesOfRole } from '../../contract/scopes.js';
import { openSession } from '../../storage/access/sessions.js';
import { accessEvent, recordAccess } from '../audit/access-event.js';
import { checkPasskey, findPasskey, requestOptions } from '../factors/passkeys.js';
import type { RelyingParty } from '../factors/relying-party.js';
import { localSignInProblem } from './local-sign-in.js';
import { passkeyRefused } from './own-factors.js';
import { newSessionToken } from './sessions.js';
import { delayed, type SignInContext, type SignInReply, type SignInSender } from './sign-in.js';
import { admitAttempt, attemptGuards } from './sign-in-guard.js';

export function passkeyRequestOptions(
  { database: { pool } }: Pick<SignInContext, 'database'>,
  site: RelyingParty,
) {
  return requestOptions(pool, site);
}

/**
 * A passkey is something that the user has, and knows or is: it replaces the password and the second factor. Whatever is
 * wrong with it, the answer is the same, and only the record says more.
 */
export async function signInWithPasskey(
  context: SignInContext,
  site: RelyingParty,
  sent: PasskeyAssertion,
  sender: SignInSender,
): Promise<SignInReply> {
  const { database, limits, sessionLifetimeSeconds } = context;
  const { pool } = database;
  const known = await findPasskey(pool, sent);
  const { address, device } = sender;
  const guards = attemptGuards(limits, {
    ...{ address, name: `passkey ${sent.id}`, userSerial: known?.userSerial },
  });
  const wait = await admitAttempt(pool, guards);
  if (wait > 0) return delayed(context, wait, sender);
  const checked = await checkPasskey(pool, site, known, sent);
  const facts = known ? { userSerial: known.userSerial } : {};
  if (!checked.ok) {
    const detail = { method: 'passkey', problem: checked.problem };
    await recordAccess(pool, 'sign-in.failed', sender, { ...facts, detail });
    return { ok: false, failure: passkeyRefused };
  }
  const { userSerial } = checked.passkey;
  const notAllowed = await localSignInProblem(context, userSerial);
  if (notAllowed) {
    const detail = { method: 'passkey', reason: 'localSignInOff' };
    await recordAccess(pool, 'sign-in.failed', sender, { userSerial, detail });
    return { ok: false, failure: notAllowed };
  }
  const id = v7();
  const { token, tokenHash } = newSessionToken();
  const opened = await openSession(
    pool,
    {
      ...{ id, tokenHash, userSerial, method: 'passkey', passwordId: null, address, device },
      passkey: { id: checked.passkey.id, factor: checked.factor },
      lifetimeSeconds: sessionLifetimeSeconds,
    },
    { address: guards.address.key, name: guards.name.key, user: guards.user.key },
    accessEvent('sign-in.succeeded', sender, { userSerial, detail: { method: 'passkey' } }),
  );
  if (!opened) {
    const detail = { method: 'passkey', problem: 'inactive' };
    await recordAccess(pool, 'sign-in.failed', sender, { ...facts, detail });
    return { ok: false, failure: passkeyRefused };
  }
  const { role, secondFactor } = opened;
  return {
    ok: true,
    signedIn: {
      ...{
        sessionId: id,
        method: 'passkey',
        token,
        expiresInSeconds: sessionLifetimeSeconds,
        serial: userSerial,
        role,
        secondFactor,
      },
      scopes: role === null ? [] : scopesOfRole[role],
      mustChangePassword: false,
    },
  };
}
