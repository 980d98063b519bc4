import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/domain/webhooks/webhook-url.js';

/** The first and last address of each range, to detect a prefix that is off by one bit. */
const refusedIpv4 = [
  ['"this network"', '0.0.0.0', '0.255.255.255'],
  ['private (10)', '10.0.0.0', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['the Azure host', '168.63.129.16', '168.63.129.16'],
  ['link-local', '169.254.0.0', '169.254.255.255'],
  ['private (172)', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation (1)', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private (192)', '192.168.0.0', '192.168.255.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255'],
  ['documentation (2)', '198.51.100.0', '198.51.100.255'],
  ['documentation (3)', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
] as const;

/** The public neighbors of those ranges. */
const publicIpv4 = [
  ...[
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255'],
  ...['192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255'],
  ...['203.0.114.0', '223.255.255.255', '8.8.8.8'],
];

function hex(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

describe('IPv4 address', () => {
  test.each(refusedIpv4)('is not public: %s', (_, first, last) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
  });

  test.each(publicIpv4)('just outside a range is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('IPv6 address', () => {
  test.each([
    ['unspecified', '::', '::'],
    ['loopback', '::1', '0:0:0:0:0:0:0:1'],
    ['discard-only', '100::', '100::ffff:ffff:ffff:ffff'],
    ['unassigned', '200::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['protocol assignments and Teredo', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['Teredo of a public address', '2001:0:808:808::f7f7:f7f7', '2001:0000:808:808::1'],
    ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['6to4 of a public address', '2002:808:808::1', '2002:0808:0808::'],
    ['documentation (new range)', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['outside the global range', '4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['segment routing', '5f00::', '5f00:ffff::1'],
    ['private', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['multicast', 'ff00::', 'ff02::1'],
    ['in uppercase', 'FE80::1', 'FD00:EC2::254'],
    ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:808:808'],
    ['IPv4-compatible', '::8.8.8.8', '::808:808'],
    ['IPv4-translated', '::ffff:0:8.8.8.8', '::ffff:0:808:808'],
  ])('is not public: %s', (_, first, last) => {
    expect([first, last].map(isIP)).toEqual([6, 6]);
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
  });

  test.each([
    ...['2000::', '2001:200::', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::', '2003::', '3ffe::1'],
    ...['2001:4860:4860::8888', '2606:4700::1111', '2A00:1450:4001:81B::200E', '3fff:1000::'],
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(['fe80::1%eth0', '2001:4860:4860::8888%eth0', '::1%1'])(
    'with a zone is not public: %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  const everyIpv4 = [...publicIpv4, ...refusedIpv4.flatMap(([, first, last]) => [first, last])];

  test.each(everyIpv4)('that embeds %s is as public as that address, in every notation', (ipv4) => {
    for (const address of [
      `::ffff:${ipv4}`,
      `::ffff:${hex(ipv4)}`,
      `0:0:0:0:0:FFFF:${hex(ipv4).toUpperCase()}`,
      `64:ff9b::${ipv4}`,
      `64:ff9b::${hex(ipv4)}`,
      `0064:FF9B:0:0:0:0:${ipv4}`,
    ]) {
      expect(isIP(address)).toBe(6);
      expect(isPublicAddress(address), address).toBe(isPublicAddress(ipv4));
    }
  });
});

describe('text that is not an IP address', () => {
  test.each([
    ...[
      '',
      ' ',
      'localhost',
      'example.com',
      '8.8.8',
      '8.8.8.8.',
      '8.8.8.8 ',
      ' 8.8.8.8',
      '8.8.8.8\n',
      '08.8.8.8',
    ],
    ...['134744072', '0x8.8.8.8', '8.8.8.256', '８.8.8.8', '8.8.8.8:443', '8.8.8.8/32', '[2606:4700::1111]'],
    ...['2606:4700:::1111', '2606:4700::1111/64', ':', '1::2::3', '%', '2606:4700::1111%'],
  ])('is not public: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        const isPublic = isPublicAddress(text);
        expect(isPublic && isIP(text) === 0).toBe(false);
      }),
    );
  });
});
