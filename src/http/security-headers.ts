/** API replies are data: nothing may be loaded from them, and they cannot be framed. */
const apiContentPolicy = "default-src 'none'; frame-ancestors 'none'";

/** A year, as browsers' preload lists require. */
const hstsMaxAgeSeconds = 31_536_000;

export type HeaderSet = Readonly<Record<string, string>>;

/**
 * The headers of every reply unless its route overrides them: never stored, sniffed or framed, and of no use to other
 * origins. Routes with public documents replace Cache-Control, and pages replace Content-Security-Policy.
 */
export function securityHeaders(publicUrl: string | undefined): HeaderSet {
  return {
    'cache-control': 'no-store',
    'content-security-policy': apiContentPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...strictTransport(publicUrl),
  };
}

/** A service under a path shares its host, so it does not decide for the subdomains of that host. */
function strictTransport(publicUrl: string | undefined): HeaderSet {
  if (publicUrl === undefined) return {};
  const { protocol, pathname } = new URL(publicUrl);
  if (protocol !== 'https:') return {};
  const subdomains = pathname === '/' ? '; includeSubDomains' : '';
  return { 'strict-transport-security': `max-age=${hstsMaxAgeSeconds}${subdomains}` };
}
