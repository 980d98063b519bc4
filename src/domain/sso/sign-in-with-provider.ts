import { type Failure, failure } from '../../contract/errors.js';
import { roleIn, userNameIn } from '../../contract/provider-claims.js';
import { scopesOfRole } from '../../contract/scopes.js';
import {
  type BegunSignIn,
  getSessionToProve,
  insertProviderSignIn,
  noteProviderSession,
  takeProviderSignIn,
} from '../../storage/access/provider-sign-ins.js';
import { deleteReplacedSession, openSession } from '../../storage/access/sessions.js';
import { type Database, transaction } from '../../storage/database.js';
import type { SetRoleContext } from '../access/roles.js';
import {
  newSessionToken,
  type RenewedSession,
  renewToken,
  type SessionLifetime,
} from '../access/sessions.js';
import type { SignedIn, SignInSender } from '../access/sign-in.js';
import { network } from '../access/sign-in-guard.js';
import { accessEvent, recordAccess } from '../audit/access-event.js';
import type { ThrottledEvents } from '../audit/throttled-events.js';
import type { Result } from '../result.js';
import { newId } from '../serial.js';
import { handshakeOf, hashOf, isSecret, newSecret, signInMinutes } from './handshake.js';
import { clockToleranceSeconds, type IdentityProvider, type ProvenIdentity } from './identity-provider.js';
import { applyProviderRole } from './provider-role.js';
import { findProviderUser } from './provider-user.js';
import { failureFor, signInInvalid, userDifferent, userInactive, userUnknown } from './sso-failures.js';

export interface SsoContext extends SessionLifetime, SetRoleContext {
  /** Records rejected attempts, which callers can trigger without limit. */
  readonly delayedSignIns: ThrottledEvents;
}

export interface SignInToBegin {
  readonly browserSecret: string;
  /** Of the browser, if it has one. */
  readonly sessionId: string | null;
  readonly isProof: boolean;
}

/** Returns where the browser goes. */
export async function beginProviderSignIn(
  { database }: { readonly database: Database },
  provider: IdentityProvider,
  { browserSecret, sessionId, isProof }: SignInToBegin,
): Promise<Result<{ readonly url: URL }>> {
  const state = newSecret();
  const answer = await provider.authorizationUrl(handshakeOf(browserSecret, state), { isProof });
  if (!answer.ok) return { ok: false, failure: failureFor(answer.problem) };
  await insertProviderSignIn(database.pool, {
    ...{ stateHash: hashOf(state), browserHash: hashOf(browserSecret), sessionId, isProof },
  });
  return { ok: true, url: answer.value };
}

export interface Returned {
  /** What the provider has sent with the browser. */
  readonly query: URLSearchParams;
  /** From the cookie of the browser. */
  readonly browserSecret: string | undefined;
}

export type Finished = { readonly isProof: boolean } & (
  | { readonly ok: true; readonly session: RenewedSession }
  | { readonly ok: false; readonly failure: Failure }
);

/** The browser returns from the provider: to sign in, or to prove again who its user is. */
export async function finishProviderSignIn(
  context: SsoContext,
  provider: IdentityProvider,
  { query, browserSecret }: Returned,
  sender: SignInSender,
): Promise<Finished> {
  const state = query.get('state') ?? '';
  const begun = await takeBegun(context.database, state, browserSecret);
  if (!begun || browserSecret === undefined) {
    await recordRefused(context, sender, 'state');
    return { ok: false, failure: signInInvalid, isProof: false };
  }
  const { isProof } = begun;
  const answer = await provider.identity(query, handshakeOf(browserSecret, state));
  if (!answer.ok) {
    await recordRefused(context, sender, answer.problem);
    return { ok: false, failure: failureFor(answer.problem), isProof };
  }
  const finished = isProof
    ? await proveWithProvider(context, provider, begun, answer.value, sender)
    : await signInWithProvider(context, provider, begun, answer.value, sender);
  return { ...finished, isProof };
}

async function takeBegun(
  { pool }: Database,
  state: string,
  browserSecret: string | undefined,
): Promise<BegunSignIn | undefined> {
  if (!isSecret(state) || browserSecret === undefined) return undefined;
  const hashes = { stateHash: hashOf(state), browserHash: hashOf(browserSecret) };
  return takeProviderSignIn(pool, hashes, signInMinutes);
}

async function signInWithProvider(
  context: SsoContext,
  provider: IdentityProvider,
  begun: BegunSignIn,
  identity: ProvenIdentity,
  sender: SignInSender,
): Promise<Result<{ readonly session: SignedIn }>> {
  const user = await userOf(context, provider, identity, sender);
  if (!user.ok) return user;
  const { serial } = user;
  const { roleClaim, roles } = provider.settings;
  if (roleClaim !== undefined) {
    const role = roleIn(identity.claims, roleClaim, roles);
    await applyProviderRole(context, { serial, role, actorId: actorId(provider, identity) }, sender);
  }
  const session = await openProviderSession(context, serial, identity, sender);
  if (!session) return refusedUser(context, sender, 'userInactive', serial);
  if (begun.sessionId !== null) await deleteReplacedSession(context.database.pool, { id: begun.sessionId });
  return { ok: true, session };
}

/** As the `sub` of its access tokens is written to the log. */
function actorId({ settings }: IdentityProvider, { subject }: ProvenIdentity): string {
  return `${settings.issuer}#${subject}`;
}

async function userOf(
  context: SsoContext,
  { settings: { userClaim, userField } }: IdentityProvider,
  { claims }: ProvenIdentity,
  sender: SignInSender,
): Promise<Result<{ readonly serial: string }>> {
  const name = userNameIn(claims, userClaim, userField);
  if (name === undefined) return refusedUser(context, sender, 'claimMissing');
  const matching = await findProviderUser(context.database.pool, userField, name);
  if (matching.found === 'nobody') return refusedUser(context, sender, 'userUnknown');
  if (matching.found === 'several') return refusedUser(context, sender, 'severalUsers');
  const { serial, isActive } = matching.user;
  return isActive ? { ok: true, serial } : refusedUser(context, sender, 'userInactive', serial);
}

/** The provider says who it is, so nothing is said about anybody else. */
async function refusedUser(
  { database }: SsoContext,
  sender: SignInSender,
  reason: 'claimMissing' | 'userUnknown' | 'severalUsers' | 'userInactive',
  userSerial?: string,
): Promise<{ readonly ok: false; readonly failure: Failure }> {
  await recordAccess(database.pool, 'sign-in.failed', sender, {
    ...(userSerial === undefined ? {} : { userSerial }),
    detail: { method: 'provider', reason },
  });
  return { ok: false, failure: reason === 'userInactive' ? userInactive : userUnknown };
}

/** No attempt was counted before, so there is none to take back. */
const noGuards = { address: '', name: undefined, user: '' } as const;

async function openProviderSession(
  { database, sessionLifetimeSeconds }: SsoContext,
  serial: string,
  identity: ProvenIdentity,
  sender: SignInSender,
): Promise<SignedIn | undefined> {
  const sessionId = newId();
  const { token, tokenHash } = newSessionToken();
  const { address, device } = sender;
  return transaction(database, async (tx) => {
    const opened = await openSession(
      tx,
      {
        ...{
          id: sessionId,
          tokenHash,
          userSerial: serial,
          method: 'provider',
          passwordId: null,
          address,
          device,
        },
        lifetimeSeconds: sessionLifetimeSeconds,
      },
      noGuards,
      accessEvent('sign-in.succeeded', sender, { userSerial: serial, detail: { method: 'provider' } }),
    );
    if (!opened) return undefined;
    await noteProviderSession(tx, sessionId, identity);
    const { role } = opened;
    return {
      ...{
        sessionId,
        method: 'provider',
        token,
        serial,
        role,
        mustChangePassword: false,
        secondFactor: 'none',
      },
      expiresInSeconds: sessionLifetimeSeconds,
      scopes: role === null ? [] : scopesOfRole[role],
    };
  });
}

/** The same user has signed in at the provider since the proof was asked for. */
async function proveWithProvider(
  context: SsoContext,
  provider: IdentityProvider,
  { sessionId, startedAt }: BegunSignIn,
  identity: ProvenIdentity,
  sender: SignInSender,
): Promise<Result<{ readonly session: RenewedSession }>> {
  if (sessionId === null || !isSince(identity.authTime, startedAt)) {
    await recordRefused(context, sender, 'notProven');
    return { ok: false, failure: signInInvalid };
  }
  const user = await userOf(context, provider, identity, sender);
  if (!user.ok) return user;
  return transaction(context.database, async (tx): Promise<Result<{ readonly session: RenewedSession }>> => {
    const session = await getSessionToProve(tx, sessionId);
    if (!session) return { ok: false, failure: proofOutdated };
    if (session.userSerial !== user.serial) {
      const detail = { method: 'provider', reason: 'userDifferent' };
      await recordAccess(tx, 'sign-in.failed', sender, { userSerial: session.userSerial, detail });
      return { ok: false, failure: userDifferent };
    }
    const renewed = await renewToken(tx, session.tokenHash);
    await noteProviderSession(tx, sessionId, identity);
    await recordAccess(tx, 'identity.proven', sender, {
      userSerial: user.serial,
      detail: { method: 'provider' },
    });
    return { ok: true, session: renewed };
  });
}

function isSince(authTime: number | undefined, startedAt: Date): boolean {
  return authTime !== undefined && authTime >= startedAt.getTime() / 1_000 - clockToleranceSeconds;
}

const proofOutdated = failure('ACCESS_SSO_FAILED', 'The session has ended meanwhile. Sign in again.');

type Refusal = 'state' | 'unavailable' | 'cancelled' | 'invalid' | 'notProven';

/** One row per minute and network: everybody can open these addresses. */
async function recordRefused(
  { delayedSignIns }: SsoContext,
  { requestId, address }: SignInSender,
  reason: Refusal,
): Promise<void> {
  await delayedSignIns.record({
    kind: 'sign-in.failed',
    caller: { requestId, address },
    facts: { detail: { method: 'provider', reason } },
    group: `provider ${reason} ${network(address)}`,
    rowsMax: 1,
  });
}
