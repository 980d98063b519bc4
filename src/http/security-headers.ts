/** Nothing an API reply could load or be framed by; it is data, even if a browser is pointed at it. */
const apiContentPolicy = "default-src 'none'; frame-ancestors 'none'";

/** A year, as browsers' preload lists ask for. */
const hstsMaxAgeSeconds = 31_536_000;

export type HeaderSet = Readonly<Record<string, string>>;

/**
 * What every reply carries unless its route says otherwise: never stored, never sniffed, never framed, and of no use to
 * other origins. Routes with public documents replace Cache-Control, and pages replace Content-Security-Policy.
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

/** A service under a path shares its host with others, so it does not decide for the subdomains of that host. */
function strictTransport(publicUrl: string | undefined): HeaderSet {
  if (publicUrl === undefined) return {};
  const { protocol, pathname } = new URL(publicUrl);
  if (protocol !== 'https:') return {};
  const subdomains = pathname === '/' ? '; includeSubDomains' : '';
  return { 'strict-transport-security': `max-age=${hstsMaxAgeSeconds}${subdomains}` };
}
