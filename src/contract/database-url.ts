/** Which servers a connection may use, as in libpq: one that accepts writes, one that is no standby, or any. */
export type SessionTarget = 'any' | 'read-write' | 'primary';

export interface DatabaseServers {
  /** A URL for each server, in the order in which they are tried. */
  readonly urls: readonly string[];
  readonly target: SessionTarget;
  /** All servers, without credentials. */
  readonly description: string;
}

export type ParsedDatabaseUrl =
  | { readonly ok: true; readonly servers: DatabaseServers }
  | { readonly ok: false; readonly problem: string };

/** Names no part of the URL: a password with unescaped characters could appear anywhere. */
class Problem extends Error {}

/** Nothing more to say than what a URL begins with. */
const notUrl = '';

const urlPattern =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?(?:#.*)?$/;

/**
 * Parses `postgres://user:password@first:5432,second:5433/database?target_session_attrs=read-write` as libpq does, and
 * splits it into a URL for each host, because pg knows only one. With several hosts, connections need a server that
 * accepts writes unless the URL says otherwise; libpq would take the first that answers.
 */
export function parseDatabaseUrl(text: string): ParsedDatabaseUrl {
  try {
    return { ok: true, servers: parse(text) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, problem: error.message };
  }
}

function parse(text: string): DatabaseServers {
  const parts = urlPattern.exec(text)?.groups;
  if (!parts) throw new Problem(notUrl);
  const { scheme, login, hosts = '', path = '/', query = '' } = parts;
  const parameters = new URLSearchParams(query);
  rejectMisread(text, path, parameters);
  rejectUnsupported(parameters);
  const likeLibpq = readSslMode(parameters);
  const addresses = readAddresses(hosts, parameters);
  const target = readTarget(parameters, addresses.length > 1 ? 'read-write' : 'any');
  if (addresses.length === 1) {
    if (!URL.canParse(text)) throw new Problem(notUrl);
    return { urls: [`${text}${likeLibpq}`], target, description: withoutSecrets(text) };
  }

  for (const name of ['host', 'port', 'target_session_attrs', 'load_balance_hosts']) parameters.delete(name);
  const rest = `${path}${parameters.size > 0 ? `?${parameters}` : ''}${likeLibpq}`;
  const before = `${scheme}${login === undefined ? '' : `${login}@`}`;
  return {
    urls: addresses.map((address, at) => checked(`${before}${address}${rest}`, at + 1)),
    target,
    description: `${scheme}${addresses.join()}${path}`,
  };
}

function checked(url: string, position: number): string {
  if (!URL.canParse(url)) throw new Problem(`host ${position} is not valid`);
  return url;
}

function withoutSecrets(text: string): string {
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}

const defaultPort = '5432';

/** As `host:port`. The parameters host and port override what precedes the path. */
function readAddresses(authority: string, parameters: URLSearchParams): string[] {
  const given = (parameters.get('host') ?? authority).split(',');
  if (given.length === 1) return given;
  const hosts = parameters.has('host')
    ? given.map((host) => ({ host: asUrlHost(host), port: '' }))
    : given.map(splitPort);
  const ports = parameters.get('port')?.split(',') ?? [];
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new Problem(`it has ${hosts.length} hosts, but ${ports.length} ports`);
  return hosts.map(({ host, port }, at) => {
    if (host === '') throw new Problem(`host ${at + 1} is empty`);
    const chosen = (ports.length === 1 ? ports[0] : ports[at]) || port || defaultPort;
    if (!/^\d{1,5}$/.test(chosen) || Number(chosen) < 1 || Number(chosen) > 65_535)
      throw new Problem(`the port of host ${at + 1} is not a number from 1 to 65535`);
    return `${host}:${chosen}`;
  });
}

/** `[::1]:5433`, `db.example.com:5433` or `%2Fvar%2Frun%2Fpostgresql`; the port may be missing. */
function splitPort(address: string, at: number): { host: string; port: string } {
  const { host, port = '' } =
    /^(?<host>\[[^\]]*\]|[^:[\]]*)(?::(?<port>[^:]*))?$/.exec(address)?.groups ?? {};
  if (host === undefined)
    throw new Problem(`host ${at + 1} is not valid; an IPv6 address needs brackets, as in [::1]:5432`);
  return { host, port };
}

function asUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : encodeURIComponent(host);
}

const targets: readonly string[] = ['any', 'read-write', 'primary'] satisfies SessionTarget[];
const readOnlyTargets: readonly string[] = ['read-only', 'standby', 'prefer-standby'];

function readTarget(parameters: URLSearchParams, fallback: SessionTarget): SessionTarget {
  const target = parameters.get('target_session_attrs') ?? fallback;
  if (targets.includes(target)) return target as SessionTarget;
  throw new Problem(
    readOnlyTargets.includes(target)
      ? `target_session_attrs=${target} allows servers that Rollcall can't write to; use read-write`
      : 'target_session_attrs must be any, read-write or primary',
  );
}

const sslModes = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'];

/** What to append so that pg treats the mode as libpq does. By itself, it takes all modes for verify-full. */
function readSslMode(parameters: URLSearchParams): string {
  const mode = parameters.get('sslmode');
  if (mode === null) return '';
  if (mode === 'prefer' || mode === 'allow')
    throw new Problem(`sslmode=${mode} may connect without TLS unnoticed; use require or disable`);
  if (!sslModes.includes(mode)) throw new Problem(`sslmode must be one of ${sslModes.join(', ')}`);
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    throw new Problem('sslmode=verify-ca needs the certificate of the CA: add sslrootcert=<file>');
  const isDifferent = mode === 'require' || mode === 'verify-ca';
  return isDifferent && !parameters.has('uselibpqcompat') ? '&uselibpqcompat=true' : '';
}

/**
 * A password with an unescaped "/", "?" or "#" ends the host too early. If it begins with digits, they pass for a port,
 * and the rest of the password for the name of a database, which is shown and logged.
 */
function rejectMisread(text: string, path: string, parameters: URLSearchParams): void {
  const isMisread =
    text.includes('#') || path.includes('@') || [...parameters.keys()].some((name) => /[@/]/.test(name));
  if (isMisread)
    throw new Problem(
      'in a user name, password or database name, write / as %2F, ? as %3F, # as %23 and @ as %40',
    );
}

function rejectUnsupported(parameters: URLSearchParams): void {
  if (parameters.has('hostaddr'))
    throw new Problem('hostaddr is not supported; put the address in place of the host name');
  if ((parameters.get('load_balance_hosts') ?? 'disable') !== 'disable')
    throw new Problem('load_balance_hosts is not supported; hosts are tried in order');
}
