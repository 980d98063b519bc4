import type { FastifyRequest } from 'fastify';
import { failure } from '../../../contract/errors.js';
import { type RelyingParty, relyingPartyOf } from '../../../domain/factors/relying-party.js';
import { RequestRejected } from '../../request-rejected.js';

/** The site whose passkeys the request can be about. */
export function passkeySiteOf(request: FastifyRequest, publicUrl: string | undefined): RelyingParty {
  const { protocol, headers } = request;
  const site = relyingPartyOf(publicUrl, { protocol, host: headers.host });
  if (site) return site;
  throw new RequestRejected(
    failure(
      'ACCESS_PASSKEYS_UNAVAILABLE',
      'Passkeys need a domain name. Open the service at the address in ROLLCALL_PUBLIC_URL, or at http://localhost if it is not set.',
    ),
  );
}
