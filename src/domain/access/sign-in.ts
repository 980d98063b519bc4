import { v7 } from 'uuid';
import type { SecondFactor, SecondFactorPolicy } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { employeeIdField, usernameField } from '../../contract/fields.js';
import { type Role, type Scope, scopesOfRole } from '../../contract/scopes.js';
import type { SignInMethod } from '../../contract/sign-in.js';
import { signInNameOfUserName } from '../../contract/user-names.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import {
  getLoginByName,
  type Login,
  refreshHash,
  type StoredPassword,
} from '../../storage/access/credentials.js';
import { type GuardKeys, openSession } from '../../storage/access/sessions.js';
import { uncountAttempt } from '../../storage/access/sign-in-guards.js';
import type { Database, Executor } from '../../storage/database.js';
import { nameHolders } from '../../storage/users/user-names.js';
import { accessEvent, recordAccess } from '../audit/access-event.js';
import type { ThrottledEvents } from '../audit/throttled-events.js';
import type { Sender } from '../caller.js';
import type { LimitedDatabase } from '../database.js';
import { HashingBusy, type PasswordHasher } from '../passwords/password.js';
import { type LocalSignInContext, localSignInOff, localSignInProblem } from './local-sign-in.js';
import { recordDelayed } from './rejected-attempts.js';
import { newSessionToken, type SessionLifetime } from './sessions.js';
import { type AttemptGuards, admitAttempt, attemptGuards, withdrawAttempt } from './sign-in-guard.js';

/** What it takes to check a password. */
export interface PasswordCheckContext extends LimitedDatabase {
  readonly passwords: PasswordHasher;
  /** Records delayed attempts, which callers can trigger without limit. */
  readonly delayedSignIns: ThrottledEvents;
}

export interface SignInContext extends PasswordCheckContext, SessionLifetime, LocalSignInContext {
  /** Who has to have a second factor. */
  readonly secondFactorPolicy: SecondFactorPolicy;
}

/** Where a session is opened. */
export interface SignInSender extends Sender {
  /** For people to recognize it; null if unknown. */
  readonly device: string | null;
}

export interface SignedIn {
  readonly sessionId: string;
  readonly method: SignInMethod;
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly serial: string;
  readonly role: Role | null;
  readonly scopes: readonly Scope[];
  readonly mustChangePassword: boolean;
  readonly secondFactor: SecondFactor;
}

export type SignInReply =
  | { readonly ok: true; readonly signedIn: SignedIn }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Users sign in with their username, with their employee ID if that is nobody's username, or with the sign-in name that an
 * identity provider has given them. The attempt is counted first. Then the password is hashed exactly once, whether or not the name exists. Wrong passwords, unknown names and
 * deactivated users get the same answer.
 */
export async function signIn(
  context: SignInContext,
  { username, password }: { readonly username: string; readonly password: string },
  sender: SignInSender,
): Promise<SignInReply> {
  const { database, limits } = context;
  if (context.localSignIn === 'off') return { ok: false, failure: localSignInOff };
  const login = await findLogin(context.database, username);
  const { address } = sender;
  const guards = attemptGuards(limits, { address, name: username, userSerial: login?.serial });
  const wait = await admitAttempt(database.pool, guards);
  if (wait > 0) return delayed(context, wait, sender);

  const known = login?.password;
  const isRight = await checkPassword(context, password, known?.hash, guards);
  if (isRight && login?.isActive && known && !known.isExpired) {
    const notAllowed = await localSignInProblem(context, login.serial);
    if (notAllowed) return refused(context, notAllowed, login.serial, sender);
    const isOwnName = isUsernameOf(login, username);
    const signedIn = await startSession(context, login.serial, known, sender, {
      address: guards.address.key,
      name: isOwnName ? guards.name.key : undefined,
      user: guards.user.key,
    });
    if (signedIn) {
      if (!isOwnName) await uncountAttempt(database.pool, guards.name);
      await keepHashCurrent(context, login.serial, known, password);
      return { ok: true, signedIn };
    }
  }
  await recordAccess(database.pool, 'sign-in.failed', sender, login ? { userSerial: login.serial } : {});
  return { ok: false, failure: isRight && login?.isActive && known?.isExpired ? expired : failed };
}

/** The password is right, so the user may learn why it is not enough. */
async function refused(
  { database }: SignInContext,
  failure: Failure,
  userSerial: string,
  sender: Sender,
): Promise<SignInReply> {
  await recordAccess(database.pool, 'sign-in.failed', sender, {
    userSerial,
    detail: { reason: 'localSignInOff' },
  });
  return { ok: false, failure };
}

/** Always asks the database, even for text that cannot be a name, so that every attempt takes the same time. */
export function findLogin(database: Database, name: string): Promise<Login | undefined> {
  return getLoginByName(database.pool, {
    usernameKey: usernameField.accepts(name) ? usernameKey(name) : '',
    employeeID: employeeIdField.accepts(name) ? name : '',
    signInName: signInNameOfUserName(name) ?? '',
  });
}

/** Compares once. An attempt that is not checked because the machine is too busy does not count. */
export async function checkPassword(
  { database, passwords }: PasswordCheckContext,
  password: string,
  passwordHash: string | undefined,
  guards: AttemptGuards,
): Promise<boolean> {
  try {
    return await passwords.matches(password, passwordHash);
  } catch (error) {
    if (error instanceof HashingBusy) await withdrawAttempt(database.pool, guards);
    throw error;
  }
}

/**
 * Failures are counted ignoring case, but employee IDs are not: "E1" and "e1" may be two users who share a count. Only the
 * owner of the username clears it, so that a user with a similar employee ID cannot reset the count of another.
 */
function isUsernameOf({ username, signInName }: Login, name: string): boolean {
  const isUsername = username !== null && usernameKey(username) === usernameKey(name);
  return isUsername || (signInName !== null && signInName === signInNameOfUserName(name));
}

async function startSession(
  { database, sessionLifetimeSeconds, secondFactorPolicy }: SignInContext,
  serial: string,
  { id: passwordId, mustChange }: StoredPassword,
  sender: SignInSender,
  guardKeys: GuardKeys,
): Promise<SignedIn | undefined> {
  const sessionId = v7();
  const { token, tokenHash } = newSessionToken();
  const { address, device } = sender;
  const opened = await openSession(
    database.pool,
    {
      ...{ id: sessionId, tokenHash, userSerial: serial, method: 'password', passwordId, address, device },
      secondFactorPolicy,
      lifetimeSeconds: sessionLifetimeSeconds,
    },
    guardKeys,
    accessEvent('sign-in.succeeded', sender, { userSerial: serial }),
  );
  return (
    opened && {
      sessionId,
      method: 'password',
      token,
      expiresInSeconds: sessionLifetimeSeconds,
      serial,
      role: opened.role,
      scopes:
        opened.role === null || mustChange || opened.secondFactor !== 'none' ? [] : scopesOfRole[opened.role],
      mustChangePassword: mustChange,
      secondFactor: opened.secondFactor,
    }
  );
}

/** When the hash parameters change, each password is hashed again at its owner's next sign-in. */
async function keepHashCurrent(
  { database, passwords }: PasswordCheckContext,
  userSerial: string,
  { id: passwordId, hash }: StoredPassword,
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(hash)) return;
  try {
    const newHash = await passwords.hash(password);
    await refreshHash(database.pool, { userSerial, passwordId, newHash });
  } catch {
    // The user is already signed in; the next sign-in retries this.
  }
}

export async function delayed(
  { delayedSignIns }: PasswordCheckContext,
  seconds: number,
  sender: Sender,
): Promise<{ ok: false; failure: Failure }> {
  await recordDelayed(delayedSignIns, sender);
  return {
    ok: false,
    failure: failure(
      'ACCESS_SIGN_IN_DELAYED',
      `There were too many failed attempts for this name or from this address. Try again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    ),
  };
}

const failed = failure(
  'ACCESS_SIGN_IN_FAILED',
  'The username, employee ID or password is wrong, or the user is not allowed to sign in.',
);

const expired = failure(
  'ACCESS_PASSWORD_EXPIRED',
  'This initial password has expired. Ask an administrator to send you a new one.',
);

/** The name that a user signs in with: the username, the sign-in name or, if it is nobody's username, the employee ID. */
export async function signInNameOf(
  executor: Executor,
  {
    serial,
    username,
    signInName,
    employeeID,
  }: Pick<StoredUser, 'serial' | 'username' | 'signInName' | 'employeeID'>,
): Promise<string | null> {
  if (username !== null || signInName !== null) return username ?? signInName;
  const names = { employeeID: null, usernameKey: usernameKey(employeeID) };
  const holders = await nameHolders(executor, names, serial);
  return holders.username === null ? employeeID : null;
}
