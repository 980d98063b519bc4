import { randomBytes } from 'node:crypto';
import { type Failure, failure } from '../../contract/errors.js';
import type { Scope } from '../../contract/scopes.js';
import {
  deleteAllSessions,
  deleteReplacedSession,
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  type ListedSession,
  listSessions as readSessions,
  type SessionRenewal,
  renewSession as storeToken,
} from '../../storage/access/sessions.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { getUser } from '../../storage/users/read-users.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller, Sender, UserActor } from '../caller.js';
import { hashSecret } from '../clients/client-credentials.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { missingUser } from '../missing-user.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';

/** How long users stay signed in. */
export interface SessionLifetime {
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleSeconds: number;
}

export interface SessionContext extends SessionLifetime {
  readonly database: Database;
}

/** Distinguishes session tokens from client tokens, and lets secret scanners recognize them. */
const tokenPrefix = 'rcs_';
const tokenForm = /^rcs_[A-Za-z0-9_-]{43}$/;

/**
 * A session token carries no information: it is looked up on every request, so that a sign-out, a deactivation or a new
 * role takes effect immediately.
 */
export function newSessionToken(): { token: string; tokenHash: string } {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: hashSecret(token) };
}

export function isSessionToken(token: string): boolean {
  return tokenForm.test(token);
}

export interface RenewedSession {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * What a session has to be used for first, in this order: a password that was sent is replaced before a factor is added, and
 * after one was given.
 */
export const restrictions = ['factor', 'password', 'enrolment'] as const;
export type Restriction = (typeof restrictions)[number];

export function restrictionOf({
  secondFactor,
  mustChangePassword,
}: Pick<UserActor, 'secondFactor' | 'mustChangePassword'>): Restriction | undefined {
  if (secondFactor === 'required') return 'factor';
  if (mustChangePassword) return 'password';
  return secondFactor === 'enrol' ? 'enrolment' : undefined;
}

/**
 * After another proof of who the user is, a token that was stolen before is worth nothing. Throws `SessionEnded` if the
 * session was ended meanwhile, so that nothing else of the transaction is kept.
 */
export function renewSession(
  tx: Executor,
  actor: UserActor,
  renewal: Partial<SessionRenewal> = {},
): Promise<RenewedSession> {
  return renewToken(tx, actor.tokenHash, renewal);
}

export async function renewToken(
  tx: Executor,
  oldTokenHash: string,
  { factor = null, isProven = true }: Partial<SessionRenewal> = {},
): Promise<RenewedSession> {
  const { token, tokenHash } = newSessionToken();
  const renewed = await storeToken(tx, oldTokenHash, tokenHash, { factor, isProven });
  if (!renewed) throw new SessionEnded();
  return { token, ...renewed };
}

export class SessionEnded extends Error {
  override readonly name = 'SessionEnded';
}

export const sessionEnded = failure(
  'ACCESS_TOKEN_INVALID',
  'Your session has ended: it has expired, was not used for a while, or was ended elsewhere. Sign in again with POST /service/auth/sign-in.',
);

export async function signOut(database: Database, actor: UserActor, caller: Caller): Promise<void> {
  await transaction(database, async (tx) => {
    await deleteSession(tx, actor.tokenHash);
    await recordAccess(tx, 'sign-out', caller, { userSerial: actor.id });
  });
}

/** For users who sign out of an application and, with it, of everything. */
export async function signOutOfSession(database: Database, id: string, sender: Sender): Promise<void> {
  await transaction(database, async (tx) => {
    const userSerial = await deleteSessionById(tx, id, null);
    if (userSerial === undefined) return;
    const actor = { kind: 'person', id: userSerial, scopes: new Set<Scope>() } as const;
    await recordAccess(tx, 'sign-out', { ...sender, actor }, { userSerial });
  });
}

/** Whoever signs in again in the same browser no longer needs the session before. */
export async function endReplacedSession({ pool }: Database, token: string): Promise<void> {
  await deleteReplacedSession(pool, { tokenHash: hashSecret(token) });
}

/** Of one user, or of everybody. */
export async function listSessions(
  { database, sessionIdleSeconds }: SessionContext,
  userSerial: string | undefined,
  page: PageRequest,
): Promise<Page<ListedSession>> {
  if (userSerial !== undefined && !isSerial(userSerial)) return { ok: true, items: [], nextCursor: null };
  const list = { name: 'sessions', filters: { userSerial }, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (beforeId, limit) =>
    readSessions(database.pool, sessionIdleSeconds, { userSerial, beforeId, limit }),
  );
}

/** Ends a session of the user. Null means of anybody. */
export async function endSession(
  database: Database,
  { id, userSerial }: { readonly id: string; readonly userSerial: string | null },
  caller: Caller,
): Promise<Result<{ userSerial: string }>> {
  if (!isSerial(id)) return { ok: false, failure: sessionNotFound };
  return transaction(database, async (tx): Promise<Result<{ userSerial: string }>> => {
    const owner = await deleteSessionById(tx, id, userSerial);
    if (owner === undefined) return { ok: false, failure: sessionNotFound };
    await recordAccess(tx, 'sessions.ended', caller, {
      userSerial: owner,
      detail: { sessionId: id, ended: 1 },
    });
    return { ok: true, userSerial: owner };
  });
}

/** Ends all sessions of a user. If it is the caller, the current one goes on. */
export async function endSessionsOfUser(
  database: Database,
  serial: string,
  ownTokenHash: string | null,
  caller: Caller,
): Promise<Result<{ ended: number }>> {
  const found = isSerial(serial) ? await getUser(database.pool, serial) : undefined;
  if (!found) return { ok: false, failure: await missingUser(database.pool, serial) };
  return { ok: true, ended: await endSessions(database, { userSerial: serial, ownTokenHash }, caller) };
}

/** Ends all sessions of a user, or of everybody. The caller's own goes on. Returns how many ended. */
export function endSessions(
  database: Database,
  { userSerial, ownTokenHash }: { readonly userSerial?: string; readonly ownTokenHash: string | null },
  caller: Caller,
): Promise<number> {
  return transaction(database, async (tx) => {
    const ended =
      userSerial === undefined
        ? await deleteAllSessions(tx, ownTokenHash)
        : await deleteSessionsOf(tx, [userSerial], ownTokenHash);
    const about = userSerial === undefined ? {} : { userSerial };
    if (ended > 0) await recordAccess(tx, 'sessions.ended', caller, { ...about, detail: { ended } });
    return ended;
  });
}

const sessionNotFound: Failure = failure(
  'ACCESS_SESSION_NOT_FOUND',
  'No session has this ID, or it has ended. List the sessions to see which are left.',
);
