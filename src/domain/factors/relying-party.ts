import { isIP } from 'node:net';

/** The site that passkeys belong to. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** How a request reached the service. */
export interface SiteOfRequest {
  readonly protocol: string;
  readonly host: string | undefined;
}

const localhost = /^localhost(?::\d+)?$/i;

/**
 * Passkeys are bound to a domain, which must not be taken from a request: its Host header can say anything. Without a
 * public URL, they work on the machine itself. Undefined if there is no domain; an IP address is none.
 */
export function relyingPartyOf(
  publicUrl: string | undefined,
  { protocol, host }: SiteOfRequest,
): RelyingParty | undefined {
  if (publicUrl !== undefined) {
    const { hostname, origin } = new URL(publicUrl);
    return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : undefined;
  }
  if (host === undefined || !localhost.test(host)) return undefined;
  const { hostname, origin } = new URL(`${protocol}://${host}`);
  return { id: hostname, origin };
}
