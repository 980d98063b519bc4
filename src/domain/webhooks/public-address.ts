import { BlockList, isIP } from 'node:net';

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
