import { expect, test } from 'vitest';
import { type AllowedHost, isAllowedHost, parseAllowedHost } from '../../src/contract/webhook-hosts.js';
import { webhookUrlProblem } from '../../src/domain/webhooks/webhook-url.js';

function allowed(...entries: string[]): AllowedHost[] {
  return entries.map((entry) => {
    const host = parseAllowedHost(entry);
    if (host === undefined) throw new Error(`${entry} was not parsed`);
    return host;
  });
}

test.each([
  ['https://hooks.example.com/a', 'hooks.example.com', true],
  ['https://HOOKS.example.com:443/a', 'hooks.example.com', true],
  ['https://hooks.example.com:8443/a', 'hooks.example.com', false],
  ['https://hooks.example.com:8443/a', 'hooks.example.com:8443', true],
  ['https://hooks.example.com/a', 'hooks.example.com:8443', false],
  ['http://hooks.example.com/a', 'hooks.example.com', true],
  ['https://a.b.example.com/', '*.example.com', true],
  ['https://example.com/', '*.example.com', false],
  ['https://badexample.com/', '*.example.com', false],
  ['https://hooks.example.com.evil.test/', 'hooks.example.com', false],
  ['https://bücher.example/', 'bücher.example', true],
  ['https://xn--bcher-kva.example/', 'BÜCHER.example', true],
  ['https://[2001:DB8::1]:8443/', '[2001:db8:0::1]:8443', true],
])('%s with %s allowed: %s', (url, entry, expected) => {
  expect(isAllowedHost(new URL(url), allowed(entry))).toBe(expected);
});

test('an empty list allows every host, and otherwise only listed hosts are allowed', () => {
  expect(isAllowedHost(new URL('https://anywhere.example/'), [])).toBe(true);
  const hosts = allowed('a.example', 'b.example:444');
  expect(isAllowedHost(new URL('https://b.example:444/'), hosts)).toBe(true);
  expect(isAllowedHost(new URL('https://c.example/'), hosts)).toBe(false);
});

test.each([
  '',
  '*',
  '*.',
  'a/b',
  'https://a.example',
  'a.example:0',
  'a.example:99999',
  'user@a.example',
  'a b',
])('%j is not a host', (entry) => {
  expect(parseAllowedHost(entry)).toBeUndefined();
});

test('rejects a URL with another host, and names the setting', () => {
  expect(webhookUrlProblem('https://other.example/', 'public', allowed('hooks.example.com'))).toBe(
    'must use a host and port that ROLLCALL_WEBHOOK_HOSTS allows',
  );
});
