import { type Failure, failure } from '../../contract/errors.js';
import type { PasskeyAssertion } from '../../contract/factors.js';
import { getLogin, type Login, type StoredPassword } from '../../storage/access/credentials.js';
import { hasFactor } from '../../storage/access/factors.js';
import { transaction } from '../../storage/database.js';
import { recordAccess } from '../audit/access-event.js';
import type { Actor, Caller, UserActor } from '../caller.js';
import { checkPasskey, findPasskey } from '../factors/passkeys.js';
import type { RelyingParty } from '../factors/relying-party.js';
import { attemptOf, failedAttempt, type GiveFactorContext, spendCode } from './give-factor.js';
import { type LocalSignInContext, localSignInOff, maySignInLocally } from './local-sign-in.js';
import { passkeyRefused } from './own-factors.js';
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

export interface ProveContext extends GiveFactorContext, LocalSignInContext {}

export interface PasswordProof {
  readonly password: string;
  /** For users with a second factor. */
  readonly code: string | undefined;
}

/** The user who is signed in sends the password again, and a code if they have a second factor. Other sessions go on. */
export async function proveIdentity(
  context: ProveContext,
  actor: UserActor,
  { password, code }: PasswordProof,
  caller: Caller,
): Promise<Proven> {
  const { database, localSignIn } = context;
  if (!maySignInLocally(localSignIn, actor.role)) return { ok: false, failure: localSignInOff };
  const login = await getLogin(database.pool, actor.id);
  if (!login) return wrong();
  const checked = await checkOwnPassword(context, login, password, caller);
  if (!checked.ok) return checked.failure ? { ok: false, failure: checked.failure } : wrong();
  const needsCode = await hasFactor(database.pool, actor.id);
  if (needsCode && code === undefined) return { ok: false, failure: codeMissing };
  try {
    const session = await transaction(database, async (tx) => {
      if (needsCode && !(await spendCode(context, tx, actor.id, code ?? '', caller))) return undefined;
      const renewed = await renewSession(tx, actor, { factor: needsCode ? 'code' : null });
      await clearAttempts(tx, checked.guards);
      await recordAccess(tx, 'identity.proven', caller, { userSerial: actor.id });
      return renewed;
    });
    if (session) return { ok: true, session };
    return { ok: false, failure: await failedAttempt(context, actor.id, caller) };
  } catch (error) {
    if (error instanceof SessionEnded) return { ok: false, failure: sessionEnded };
    throw error;
  }
}

/** The same with a passkey of the user. */
export async function proveWithPasskey(
  context: PasswordCheckContext & LocalSignInContext,
  site: RelyingParty,
  actor: UserActor,
  sent: PasskeyAssertion,
  caller: Caller,
): Promise<Proven> {
  const { database, limits, localSignIn } = context;
  if (!maySignInLocally(localSignIn, actor.role)) return { ok: false, failure: localSignInOff };
  const login = await getLogin(database.pool, actor.id);
  if (!login) return { ok: false, failure: sessionEnded };
  const guards = attemptGuards(limits, attemptOf(login, caller));
  const wait = await admitAttempt(database.pool, guards);
  if (wait > 0) return delayed(context, wait, caller);
  const known = await findPasskey(database.pool, sent);
  const own = known?.userSerial === actor.id ? known : undefined;
  const used = await checkPasskey(database.pool, site, own, sent);
  if (!used.ok) {
    const detail = { kind: 'passkey', problem: used.problem };
    await recordAccess(database.pool, 'factor.failed', caller, { userSerial: actor.id, detail });
    return { ok: false, failure: passkeyRefused };
  }
  try {
    const session = await transaction(database, async (tx) => {
      const renewed = await renewSession(tx, actor, { factor: used.factor });
      await clearAttempts(tx, guards);
      await recordAccess(tx, 'identity.proven', caller, {
        userSerial: actor.id,
        detail: { method: 'passkey' },
      });
      return renewed;
    });
    return { ok: true, session };
  } catch (error) {
    if (error instanceof SessionEnded) return { ok: false, failure: sessionEnded };
    throw error;
  }
}

const codeMissing = failure(
  'ACCESS_FACTOR_REQUIRED',
  'You have a second factor: add "code", from your authenticator app or a recovery code, or prove it with a passkey.',
  { secondFactor: 'required' },
);

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
