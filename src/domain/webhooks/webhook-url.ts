import { promises as dns } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { webhookUrlMaxLength } from '../../contract/limits.js';
import { type AllowedHost, isAllowedHost } from '../../contract/webhook-hosts.js';

/** `public` allows receivers on the internet, over HTTPS only. `any` also allows private networks. */
export type WebhookTargets = 'public' | 'any';

/** Characters that the URL parser silently removes, converts or replaces. */
const repairedSilently = /[\s\\\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;
const schemes = { public: /^https:\/\//i, any: /^https?:\/\//i };
const localName = /(?:^|\.)localhost\.?$/;

/** Why nothing can be sent to the URL, to be read after its name: "must start with https://". */
export function webhookUrlProblem(
  text: string,
  targets: WebhookTargets,
  allowedHosts: readonly AllowedHost[] = [],
): string | undefined {
  if (text.length > webhookUrlMaxLength) return `must not exceed ${webhookUrlMaxLength} characters`;
  if (repairedSilently.test(text)) return 'must not contain spaces, control characters or backslashes';
  if (!schemes[targets].test(text)) {
    return targets === 'public' ? 'must start with https://' : 'must start with https:// or http://';
  }
  const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  if (authority === '' || !URL.canParse(text)) {
    return 'must be a complete URL, such as https://example.com/webhooks';
  }
  if (authority.includes('@')) return 'must not contain a username or password';
  if (text.includes('#')) return 'must not contain a fragment (#)';
  // The parser understands every notation of an address, so its result is checked.
  if (targets === 'public' && !canBePublic(new URL(text).hostname)) {
    return 'must not point to a private or local address';
  }
  if (!isAllowedHost(new URL(text), allowedHosts)) {
    return 'must use a host and port that ROLLCALL_WEBHOOK_HOSTS allows';
  }
  return undefined;
}

function canBePublic(hostname: string): boolean {
  const literal = withoutBrackets(hostname);
  return isIP(literal) === 0 ? !localName.test(hostname) : isPublicAddress(literal);
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type Lookup = (
  hostname: string,
  options: { all: true; verbatim: true },
) => Promise<readonly ResolvedAddress[]>;

type TargetResolved =
  | { readonly ok: true; readonly addresses: readonly [ResolvedAddress, ...ResolvedAddress[]] }
  | {
      readonly ok: false;
      readonly code: 'host_unknown' | 'lookup_failed' | 'address_refused';
      readonly problem: string;
    };

/**
 * The addresses of a host, resolved once: the connection must use one of these, because a second lookup may return
 * others. One address that is not public is enough to reject the host, because legitimate hosts do not mix both. The
 * problem is the end of a sentence that starts with the host: "cannot be found".
 */
export async function resolveTarget(
  hostname: string,
  targets: WebhookTargets,
  lookup: Lookup = dns.lookup,
): Promise<TargetResolved> {
  const literal = withoutBrackets(hostname);
  const family = isIP(literal);
  if (family !== 0) {
    return targets === 'any' || isPublicAddress(literal)
      ? { ok: true, addresses: [{ address: literal, family }] }
      : { ok: false, code: 'address_refused', problem: 'is not a public address' };
  }
  try {
    return checked(await lookup(hostname, { all: true, verbatim: true }), targets);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return unknownHost;
    return { ok: false, code: 'lookup_failed', problem: 'cannot be resolved at the moment' };
  }
}

const unknownHost = { ok: false, code: 'host_unknown', problem: 'cannot be found' } as const;

function checked([first, ...others]: readonly ResolvedAddress[], targets: WebhookTargets): TargetResolved {
  if (first === undefined) return unknownHost;
  const addresses = [first, ...others] as const;
  const inside =
    targets === 'public' ? addresses.find(({ address }) => !isPublicAddress(address)) : undefined;
  return inside === undefined
    ? { ok: true, addresses }
    : {
        ok: false,
        code: 'address_refused',
        problem: `resolves to ${inside.address}, which is not a public address`,
      };
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
}

/** The special-purpose ranges of the IANA IPv4 registry that are not on the internet, and similar ones. */
const specialIpv4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure serves host metadata to every virtual machine at this address, although the range is public.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Both embed an IPv4 address in their last 32 bits: IPv4-mapped, and behind a NAT64 gateway. */
const ipv4Prefixes = ['::ffff:', '64:ff9b::'];

/** The rest of IPv6 is unassigned or not for the internet, so ranges unknown to us are rejected. */
const globalIpv6 = new BlockList();

globalIpv6.addSubnet('2000::', 3, 'ipv6');

for (const prefix of ipv4Prefixes) globalIpv6.addSubnet(`${prefix}0.0.0.0`, 96, 'ipv6');

const special = new BlockList();

for (const [network, bits] of specialIpv4) {
  special.addSubnet(network, bits, 'ipv4');
  for (const prefix of ipv4Prefixes) special.addSubnet(`${prefix}${network}`, 96 + bits, 'ipv6');
}

// Protocol assignments including Teredo; documentation; 6to4; documentation again.
special.addSubnet('2001::', 23, 'ipv6');

special.addSubnet('2001:db8::', 32, 'ipv6');

special.addSubnet('2002::', 16, 'ipv6');

special.addSubnet('3fff::', 20, 'ipv6');

/** Whether the text is an IP address that reaches the same host from anywhere on the internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  // A zone ties an address to an interface of this machine.
  if (family !== 6 || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
