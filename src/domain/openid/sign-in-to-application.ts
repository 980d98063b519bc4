import type { Database } from '../../storage/database.js';
import { findMember } from '../../storage/openid/members.js';
import { deleteBrowserSession } from '../../storage/openid/states.js';
import { restrictionOf, type SessionContext } from '../access/sessions.js';
import type { UserActor } from '../caller.js';
import { hashSecret } from '../clients/client-credentials.js';
import { findApplicationClient } from './applications-in-use.js';
import { type SignInFacts, type SignInStep, signInStep } from './sign-in-step.js';
import { type Authentication, authenticationBy, StateStore } from './state-store.js';

export interface SignInToApplication
  extends Pick<SignInFacts, 'startedSecondsAgo' | 'wantsProof' | 'maxAgeSeconds' | 'wantedUser'> {
  readonly applicationId: string;
  /** Undefined if nobody is signed in. */
  readonly actor: UserActor | undefined;
}

/** What the user of this browser still has to do. */
export async function nextStep({ pool }: Database, attempt: SignInToApplication): Promise<SignInStep> {
  const { actor, applicationId } = attempt;
  const member = actor && (await findMember(pool, { userSerial: actor.id, applicationId }));
  return signInStep({
    ...attempt,
    isAdmitted: member !== undefined,
    session: actor
      ? {
          userSerial: actor.id,
          isComplete: restrictionOf(actor) === undefined,
          provenSecondsAgo: actor.provenSecondsAgo,
        }
      : null,
  });
}

/** What the provider is told about a user who has done everything. */
export function signedInAs(actor: UserActor): {
  readonly login: Authentication & { readonly accountId: string; readonly ts: number };
  readonly rollcallSession: string;
} {
  const ts = Math.floor(Date.now() / 1_000 - actor.provenSecondsAgo);
  return {
    login: { accountId: actor.id, ts, ...authenticationBy(actor) },
    rollcallSession: actor.sessionId,
  };
}

/** The name of the application that a user is signing in to; undefined if that has ended. */
export async function applicationOfSignIn(
  { database, sessionIdleSeconds }: SessionContext,
  uid: string,
): Promise<string | undefined> {
  const interactions = new StateStore(database, 'Interaction', sessionIdleSeconds);
  const { params, exp } = (await interactions.find(uid)) ?? {};
  if (typeof exp !== 'number' || exp * 1_000 < Date.now()) return undefined;
  const application = await findApplicationClient(database.pool, String(Object(params).client_id));
  return application?.name;
}

/** Somebody else has signed in with the same browser. What the user before has granted goes on. */
export async function forgetBrowserSession({ pool }: Database, uid: string): Promise<void> {
  await deleteBrowserSession(pool, hashSecret(uid));
}
