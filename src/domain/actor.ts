import type { Role, Scope } from '../contract/scopes.js';

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
  readonly tokenHash: string;
}

/** The bearer of an external issuer's token. The ID combines issuer and subject. */
export interface ExternalActor extends Identity {
  readonly kind: 'outside';
}

/** Who makes a request, and with which scopes. */
export type Actor = ClientActor | UserActor | ExternalActor;
