import type { Actor } from './access/authenticate.js';

/** Where a request comes from, for the record. */
export interface Sender {
  readonly requestId: string;
  readonly address: string;
}

/** Who makes a request, and from where. */
export interface Caller extends Sender {
  readonly actor: Actor;
}
