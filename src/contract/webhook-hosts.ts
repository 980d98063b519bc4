import { domainToASCII } from 'node:url';

/**
 * A host that webhooks may be sent to. `*.example.com` covers every subdomain, but not `example.com` itself. Without a
 * port, only the default port of the scheme is allowed.
 */
export interface AllowedHost {
  readonly name: string;
  readonly withSubdomains: boolean;
  readonly port: number | undefined;
}

const entryPattern = /^(?<wildcard>\*\.)?(?<name>[^*\s/?#@\\]+?)(?::(?<port>\d{1,5}))?$/u;

/** Parses `hooks.example.com`, `*.example.com` or `[2001:db8::1]:8443`; undefined for anything else. */
export function parseAllowedHost(entry: string): AllowedHost | undefined {
  const { wildcard, name, port } = entryPattern.exec(entry)?.groups ?? {};
  const host = name === undefined ? '' : asciiHost(name);
  if (host === '' || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  return {
    name: host,
    withSubdomains: wildcard !== undefined,
    port: port === undefined ? undefined : Number(port),
  };
}

/** The form of a parsed URL, so that both sides compare equal. */
function asciiHost(name: string): string {
  return name.startsWith('[') ? canonicalIpv6(name) : domainToASCII(name);
}

function canonicalIpv6(name: string): string {
  return URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : '';
}

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80, 'sftp:': 22 };

/** An empty list allows every host. */
export function isAllowedHost(
  url: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  allowed: readonly AllowedHost[],
): boolean {
  if (allowed.length === 0) return true;
  const defaultPort = defaultPorts[url.protocol];
  const port = url.port === '' ? defaultPort : Number(url.port);
  return allowed.some(
    (entry) =>
      port === (entry.port ?? defaultPort) &&
      (entry.withSubdomains ? url.hostname.endsWith(`.${entry.name}`) : url.hostname === entry.name),
  );
}
