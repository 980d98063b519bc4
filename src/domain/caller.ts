import type { GivenFactor, SecondFactor } from '../contract/enums.js';
import { type Failure, failure } from '../contract/errors.js';
import type { Role, Scope } from '../contract/scopes.js';
import type { SignInMethod } from '../contract/sign-in.js';
import type { ChangeOrigin } from '../storage/changes/changes.js';
import type { CallAuthor } from '../storage/changes/planned-calls.js';

/** A machine client with a token issued here. */
export interface ClientActor {
  readonly kind: 'client';
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Of the token. It ends when the client gets a new secret at once, or is disabled. */
  readonly tokenGeneration?: number;
}

interface Identity {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** A signed-in user. The ID is the user's serial. */
export interface UserActor extends Identity {
  readonly kind: 'person';
  readonly name: string;
  readonly username: string | null;
  readonly employeeID: string;
  readonly role: Role | null;
  /** Signed in with an initial password, which has to be changed before anything else is allowed. */
  readonly mustChangePassword: boolean;
  /** What the session lacks before anything else is allowed. */
  readonly secondFactor: SecondFactor;
  readonly sessionId: string;
  readonly method: SignInMethod;
  /** The second factor that was given; null if there was none, or it was the identity provider's. */
  readonly factor: GivenFactor | null;
  readonly tokenHash: string;
  /** Since they last proved who they are. */
  readonly provenSecondsAgo: number;
}

/** The bearer of an external issuer's token. The ID combines issuer and subject. */
interface ExternalActor extends Identity {
  readonly kind: 'outside';
}

/** A feed that changes users by itself. The ID is its key. */
interface FeedActor extends Identity {
  readonly kind: 'feed';
}

/** Who makes a request, and with which scopes. */
export type Actor = ClientActor | UserActor | ExternalActor | FeedActor;

/** Where a request comes from, for the audit log. */
export interface Sender {
  readonly requestId: string;
  readonly address: string;
}

/** Who makes a request, and from where. */
export interface Caller extends Sender {
  readonly actor: {
    readonly kind: Actor['kind'];
    readonly id: string;
    readonly scopes: ReadonlySet<Scope>;
    readonly tokenGeneration?: number;
  };
}

/** Undefined if the caller has the scope. */
export function scopeProblem(
  { kind, scopes }: Pick<Actor, 'kind' | 'scopes'>,
  scope: Scope,
): Failure | undefined {
  if (scopes.has(scope)) return undefined;
  const next =
    kind === 'person'
      ? 'Your role does not include it; ask an administrator for access.'
      : kind === 'feed'
        ? 'Have someone with this scope save the settings of the feed.'
        : 'Request a token that includes it.';
  return failure('ACCESS_SCOPE_MISSING', `This operation requires the scope ${scope}. ${next}`, { scope });
}

export function maySeeSensitive(actor: Pick<Actor, 'scopes'> | undefined): boolean {
  return actor?.scopes.has('attributes:sensitive') ?? false;
}

/** The caller as written to the change log. */
export function changeOrigin({ actor, requestId }: Caller, callId: string | null = null): ChangeOrigin {
  return { actor: { kind: actor.kind, id: actor.id }, requestId, callId };
}

/** The caller as the one who answers for a planned call. */
export function callAuthor({ actor: { kind, id, scopes, tokenGeneration } }: Caller): CallAuthor {
  return { kind, id, scopes: [...scopes], tokenGeneration };
}
