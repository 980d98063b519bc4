import type { Role, Scope } from '../contract/scopes.js';

/** A machine that got its token here. */
export interface ClientActor {
  readonly kind: 'client';
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

interface Identity {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** Somebody who signed in; the ID is the serial of the user. */
export interface PersonActor extends Identity {
  readonly kind: 'person';
  readonly name: string;
  readonly username: string | null;
  readonly role: Role | null;
  /** Signed in with an initial password: nothing else is allowed before it is changed. */
  readonly mustChangePassword: boolean;
  readonly tokenHash: string;
}

/** Whoever an outside issuer vouches for; the ID is made of issuer and subject. */
export interface OutsideActor extends Identity {
  readonly kind: 'outside';
}

/** Who is calling, and what they may do. */
export type Actor = ClientActor | PersonActor | OutsideActor;
