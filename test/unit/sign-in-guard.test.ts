import { describe, expect, test } from 'vitest';
import { type Limits, limitDefaults } from '../../src/contract/limits.js';
import { attemptGuards, network } from '../../src/domain/access/sign-in-guard.js';
import { addressOf } from '../../src/http/authentication.js';

const guardsOf = (name: string, address = '192.0.2.1', userSerial?: string, limits: Limits = limitDefaults) =>
  attemptGuards(limits, { address, name, userSerial });

describe('failed sign-ins', () => {
  test('are free 5 times per name, then delayed up to 15 minutes, and forgotten after a day', () => {
    expect(guardsOf('ada').name).toMatchObject({
      freeFailures: 5,
      delayMaxSeconds: 900,
      forgetAfterSeconds: 86_400,
    });
  });

  test('are free twice as often per user, under whatever name', () => {
    const { name, user } = guardsOf('ada', undefined, '0195');
    expect(user).toEqual({ ...name, key: user.key, freeFailures: 10 });
    expect(guardsOf('E1001', undefined, '0195').user.key).toBe(user.key);
    const keys = [guardsOf('ada', undefined, '0196').user, guardsOf('ada').user, guardsOf('bob').user];
    expect(new Set([user, name, ...keys].map(({ key }) => key)).size).toBe(5);
  });

  test('are free 100 times per address, then delayed up to a minute, and forgotten after 15 minutes', () => {
    expect(guardsOf('ada').address).toMatchObject({
      freeFailures: 100,
      delayMaxSeconds: 60,
      forgetAfterSeconds: 900,
    });
    const short = guardsOf('ada', '192.0.2.1', undefined, { ...limitDefaults, signInDelayMaxSeconds: 10 });
    expect([short.name.delayMaxSeconds, short.address.delayMaxSeconds]).toEqual([10, 10]);
  });

  test('are counted per name in any case, and per address', () => {
    const { name, address } = guardsOf('Ada', '192.0.2.7');
    expect(guardsOf('aDA').name.key).toBe(name.key);
    expect(guardsOf('bob').name.key).not.toBe(name.key);
    expect(guardsOf('bob', '192.0.2.7').address.key).toBe(address.key);
    expect(guardsOf('Ada', '192.0.2.8').address.key).not.toBe(address.key);
  });

  test('are stored under keys that reveal neither, not even that a name is an address', () => {
    const { name, address } = guardsOf('192.0.2.7', '192.0.2.7');
    expect(name.key).not.toBe(address.key);
    for (const { key } of [name, address]) expect(key).toMatch(/^[\w-]{43}$/);
  });
});

describe('the network of an address', () => {
  test.each([
    '2001:db8:a:7::1',
    '2001:db8:a:7::2',
    '2001:db8:a:7:ffff:ffff:ffff:ffff',
    '2001:DB8:A:7:0:0:0:1',
    '2001:0db8:000a:0007::9',
    '2001:db8:a:7::1%eth0',
  ])('is the whole IPv6 /64 network, in any notation: %s', (address) => {
    expect(network(address)).toBe('2001:db8:a:7');
  });

  test.each(['2001:db8:a:8::1', '2001:db8::7:0:0:a', '::1'])('is another one for %s', (address) => {
    expect(network(address)).not.toBe('2001:db8:a:7');
  });

  test.each([
    ['an IPv4 address', '198.51.100.7'],
    ['a mapped IPv4 address', '::ffff:192.0.2.9'],
    ['no address', 'unknown'],
    ['nothing', ''],
    ['a long text', 'f'.repeat(8_000)],
  ])('is unchanged for %s', (_, address) => {
    expect(network(address)).toBe(address);
  });
});

describe('the address of a caller', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[::ffff:192.0.2.7]:4711', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['1.2.3', '1.2.3'],
    ['_hidden', '_hidden'],
    ['', ''],
  ])('that the proxy sends as "%s" is "%s"', (ip, address) => {
    expect(addressOf(ip)).toBe(address);
  });
});
