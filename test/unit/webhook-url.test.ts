import { describe, expect, test } from 'vitest';
import { webhookUrlMaxLength } from '../../src/contract/limits.js';
import {
  type Lookup,
  type ResolvedAddress,
  resolveTarget,
  webhookUrlProblem,
} from '../../src/domain/webhooks/webhook-url.js';

const repaired = 'must not contain spaces, control characters or backslashes';
const incomplete = 'must be a complete URL, such as https://example.com/webhooks';
const inside = 'must not point to a private or local address';
const credentials = 'must not contain a username or password';
const fragment = 'must not contain a fragment (#)';

function aUrlOf(length: number): string {
  return 'https://example.com/'.padEnd(length, 'x');
}

describe('receiver URL', () => {
  test.each([
    ...['https://example.com', 'https://example.com/', 'https://hooks.example.com:8443/a/b?c=d&e=@f'],
    ...['HTTPS://EXAMPLE.COM/', 'https://bücher.example/größe', 'https://8.8.8.8/', 'https://134744072/'],
    ...['https://[2606:4700::1111]/', 'https://[::ffff:8.8.8.8]/', 'https://intranet/', aUrlOf(2_000)],
    ...['https://localhost.example.com/', 'https://notlocalhost/'],
  ])('can be %s, whatever targets are allowed', (url) => {
    expect(webhookUrlProblem(url, 'public')).toBeUndefined();
    expect(webhookUrlProblem(url, 'any')).toBeUndefined();
  });

  test.each([
    ...['http://example.com/', 'http://127.0.0.1:8080/hooks', 'http://[::1]/', 'https://10.0.0.1/'],
    ...['http://localhost:3000/', 'https://metadata.localhost/'],
  ])('can be %s only if private targets are allowed', (url) => {
    expect(webhookUrlProblem(url, 'any')).toBeUndefined();
    expect(webhookUrlProblem(url, 'public')).toBe(
      url.startsWith('http:') ? 'must start with https://' : inside,
    );
  });

  test.each([
    ['', 'must start with https:// or http://'],
    ['example.com/hooks', 'must start with https:// or http://'],
    ['//example.com/hooks', 'must start with https:// or http://'],
    ['ftp://example.com/', 'must start with https:// or http://'],
    ['file:///etc/passwd', 'must start with https:// or http://'],
    ['javascript:alert(1)', 'must start with https:// or http://'],
    ['https:example.com', 'must start with https:// or http://'],
    ['https:/example.com', 'must start with https:// or http://'],
    ['https://', incomplete],
    ['https:///example.com', incomplete],
    ['https://?', incomplete],
    ['https://example.com:99999/', incomplete],
    ['https://exa<mple.com/', incomplete],
    ['https://256.1.1.1/', incomplete],
    ['https://[fe80::1%25eth0]/', incomplete],
    ['https://user:secret@example.com/', credentials],
    ['https://user@example.com/', credentials],
    ['https://:@example.com/', credentials],
    ['https://@example.com/', credentials],
    ['https://example.com@10.0.0.1/', credentials],
    ['https://example.com/#top', fragment],
    ['https://example.com/#', fragment],
    [' https://example.com/', repaired],
    ['https://example.com/ ', repaired],
    ['https://example.com/a b', repaired],
    ['https://exa\tmple.com/', repaired],
    ['https://example.com/\r\nx', repaired],
    ['https://example.com/\0', repaired],
    ['https://example.com/\x7f', repaired],
    ['https:\\\\example.com\\', repaired],
    ['https://example.com\\@10.0.0.1/', repaired],
    ['https://exa\u00admple.com/', repaired],
    ['https://example.com/\u200b', repaired],
    ['https://example.com/\u00a0', repaired],
    ['https://example.com/\u2028', repaired],
    ['https://example.com/\ud800', repaired],
    [aUrlOf(2_001), 'must not exceed 2000 characters'],
  ])('cannot be %j', (url, problem) => {
    expect(webhookUrlProblem(url, 'any')).toBe(problem);
    expect(webhookUrlProblem(url, 'public')).toBe(problem.replace(' or http://', ''));
  });

  test.each([
    ...[
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0x7f000001',
      '0177.0.0.1',
      '017700000001',
    ],
    ...['１２７.0.0.1', '127%2e0.0.1', '%31%32%37.0.0.1', '0', '169.254.169.254', '[::1]', '[::]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:A9FE:A9FE]', '[fd00:ec2::254]', '[fe80::1]'],
    ...['[64:ff9b::10.0.0.1]', '[2002:7f00:1::]', '[::127.0.0.1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', 'ｌocalhost', 'local%68ost'],
  ])('cannot reach private addresses as %s', (host) => {
    expect(webhookUrlProblem(`https://${host}:8443/hooks?a=b`, 'public')).toBe(inside);
  });

  test('can have 2,000 characters', () => {
    expect(webhookUrlMaxLength).toBe(2_000);
  });
});

/** A lookup that returns these answers in turn, and then repeats the last one. */
function answering(...answers: (readonly string[] | Error)[]) {
  const asked: string[] = [];
  const lookup: Lookup = async (hostname, options) => {
    expect(options).toEqual({ all: true, verbatim: true });
    asked.push(hostname);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    if (answer instanceof Error) throw answer;
    return answer.map((address): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { lookup, asked };
}

function dnsError(code: string): Error {
  return Object.assign(new Error(`getaddrinfo ${code}`), { code });
}

describe('receiver host', () => {
  test('resolves to all of its addresses with one query', async () => {
    const { lookup, asked } = answering(['8.8.8.8', '2606:4700::1111']);
    expect(await resolveTarget('example.com', 'public', lookup)).toEqual({
      ok: true,
      addresses: [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    });
    expect(asked).toEqual(['example.com']);
  });

  test.each([
    [['127.0.0.1'], '127.0.0.1'],
    [['8.8.8.8', '10.0.0.7'], '10.0.0.7'],
    [['2606:4700::1111', '8.8.8.8', '::ffff:7f00:1'], '::ffff:7f00:1'],
    [['fe80::1%eth0'], 'fe80::1%eth0'],
  ])('with the addresses %j is not public', async (addresses, culprit) => {
    const { lookup } = answering(addresses);
    expect(await resolveTarget('example.com', 'public', lookup)).toEqual({
      ok: false,
      code: 'address_refused',
      problem: `resolves to ${culprit}, which is not a public address`,
    });
    expect(await resolveTarget('example.com', 'any', lookup)).toMatchObject({ ok: true });
  });

  test.each(['public', 'any'] as const)('cannot be found (%s)', async (targets) => {
    for (const answer of [dnsError('ENOTFOUND'), dnsError('ENODATA'), []]) {
      const { lookup } = answering(answer);
      expect(await resolveTarget('example.com', targets, lookup)).toEqual({
        ok: false,
        code: 'host_unknown',
        problem: 'cannot be found',
      });
    }
  });

  test('cannot be resolved while name servers are unavailable', async () => {
    const { lookup } = answering(dnsError('EAI_AGAIN'));
    expect(await resolveTarget('example.com', 'public', lookup)).toEqual({
      ok: false,
      code: 'lookup_failed',
      problem: 'cannot be resolved at the moment',
    });
  });

  test.each([
    ['8.8.8.8', '8.8.8.8', 4],
    ['2606:4700::1111', '2606:4700::1111', 6],
    ['[2606:4700::1111]', '2606:4700::1111', 6],
  ])('that is the address %s needs no lookup', async (host, address, family) => {
    const { lookup, asked } = answering(['10.0.0.1']);
    expect(await resolveTarget(host, 'public', lookup)).toEqual({
      ok: true,
      addresses: [{ address, family }],
    });
    expect(asked).toEqual([]);
  });

  test.each(['127.0.0.1', '[::1]', '::ffff:10.0.0.1', 'fe80::1%eth0'])(
    'that is the address %s is valid only if private targets are allowed',
    async (host) => {
      const { lookup, asked } = answering(['8.8.8.8']);
      expect(await resolveTarget(host, 'public', lookup)).toEqual({
        ok: false,
        code: 'address_refused',
        problem: 'is not a public address',
      });
      expect(await resolveTarget(host, 'any', lookup)).toMatchObject({ ok: true });
      expect(asked).toEqual([]);
    },
  );

  test('uses the system resolver by default', async () => {
    expect(await resolveTarget('localhost', 'public')).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^resolves to (?:127\.0\.0\.1|::1), which is not a public address$/),
    });
  });
});
