import { type Failure, failure } from '../../contract/errors.js';
import type { ClientDetails } from '../../storage/access/clients.js';

export type { ClientDetails };

export interface ClientWithSecret {
  readonly client: ClientDetails;
  /** Returned only once. */
  readonly secret: string;
}

export function clientNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('ACCESS_CLIENT_NOT_FOUND', 'No client has this ID.') };
}
