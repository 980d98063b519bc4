import { type Failure, failure } from '../../contract/errors.js';
import { getLogin, type Login, type StoredPassword } from '../../storage/access/credentials.js';
import { transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Actor, Caller, UserActor } from '../caller.js';
import { type LocalSignInContext, localSignInOff, maySignInLocally } from './local-sign-in.js';
import { type RenewedSession, renewSession, SessionEnded, sessionEnded } from './sessions.js';
import { checkPassword, delayed, type PasswordCheckContext } from './sign-in.js';
import { type AttemptGuards, admitAttempt, attemptGuards, clearAttempts } from './sign-in-guard.js';

export interface ProofSettings {
  /** How old a proof may be before something sensitive; 0 if it never is too old. */
  readonly proofMaxSeconds: number;
}

export type Proven =
  | { readonly ok: true; readonly session: RenewedSession }
  | { readonly ok: false; readonly failure: Failure };

/** Undefined if the caller may do something sensitive now. Only people can be asked: clients prove themselves differently. */
export function proofProblem(actor: Actor, { proofMaxSeconds }: ProofSettings): Failure | undefined {
  if (actor.kind !== 'person' || proofMaxSeconds === 0) return undefined;
  if (actor.provenSecondsAgo <= proofMaxSeconds) return undefined;
  return failure(
    'ACCESS_PROOF_REQUIRED',
    'Prove again who you are, with POST /service/auth/prove, and repeat the request.',
    { maxAgeSeconds: proofMaxSeconds },
  );
}

/** The user who is signed in sends the password again. Other sessions go on. */
export async function proveIdentity(
  context: PasswordCheckContext & LocalSignInContext,
  actor: UserActor,
  password: string,
  caller: Caller,
): Promise<Proven> {
  const { database, localSignIn } = context;
  if (!maySignInLocally(localSignIn, actor.role)) return { ok: false, failure: localSignInOff };
  const login = await getLogin(database.pool, actor.id);
  if (!login) return wrong();
  const checked = await checkOwnPassword(context, login, password, caller);
  if (!checked.ok) return checked.failure ? { ok: false, failure: checked.failure } : wrong();
  try {
    const session = await transaction(database, async (tx) => {
      const renewed = await renewSession(tx, actor);
      await clearAttempts(tx, checked.guards);
      await recordAccess(tx, 'identity.proven', caller, { userSerial: actor.id });
      return renewed;
    });
    return { ok: true, session };
  } catch (error) {
    if (error instanceof SessionEnded) return { ok: false, failure: sessionEnded };
    throw error;
  }
}

type Checked =
  | { readonly ok: true; readonly known: StoredPassword; readonly guards: AttemptGuards }
  /** Without a failure, the password is wrong. */
  | { readonly ok: false; readonly failure?: Failure };

/** Counts guesses as at a sign-in: a session that was left open is no place to guess freely. */
export async function checkOwnPassword(
  context: PasswordCheckContext,
  { serial, username, password: known }: Login,
  password: string,
  caller: Caller,
): Promise<Checked> {
  const { database, limits } = context;
  // Falls back to the serial if there is no username, so that guesses are always counted.
  const guards = attemptGuards(limits, {
    address: caller.address,
    name: username ?? serial,
    userSerial: serial,
  });
  const wait = await admitAttempt(database.pool, guards);
  if (wait > 0) return delayed(context, wait, caller);
  const isRight = await checkPassword(context, password, known?.hash, guards);
  return isRight && known ? { ok: true, known, guards } : { ok: false };
}

function wrong(): Proven {
  return { ok: false, failure: failure('ACCESS_PASSWORD_WRONG', '"password" is not your password.') };
}
