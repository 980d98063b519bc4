import type { LocalSignIn } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import type { Role } from '../../contract/scopes.js';
import { getRole } from '../../storage/access/roles.js';
import type { Database } from '../../storage/database.js';

export interface LocalSignInContext {
  readonly database: Database;
  readonly localSignIn: LocalSignIn;
}

export function maySignInLocally(localSignIn: LocalSignIn, role: Role | null): boolean {
  return localSignIn === 'on' || (localSignIn === 'administrators' && role === 'administrator');
}

/** Undefined if the user may use a password here. */
export async function localSignInProblem(
  { database, localSignIn }: LocalSignInContext,
  serial: string,
): Promise<Failure | undefined> {
  if (localSignIn === 'on') return undefined;
  return maySignInLocally(localSignIn, await getRole(database.pool, serial)) ? undefined : localSignInOff;
}

export const localSignInOff: Failure = failure(
  'ACCESS_LOCAL_SIGN_IN_OFF',
  'Your company does not let you sign in with a password. Sign in with its identity provider.',
);
