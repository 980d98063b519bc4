import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../src/contract/database-url.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

function serversOf(text: string) {
  const parsed = parseDatabaseUrl(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.servers;
}

test.each([
  'postgres://db',
  'postgresql://user:p%40ss@db.internal:5433/rollcall?sslmode=verify-full',
  'postgres://u:p@[::1]:5432/db',
  'postgres:///db?host=/var/run/postgresql',
])('one host stays as it is: %s', (url) => {
  expect(serversOf(url)).toMatchObject({ urls: [url], target: 'any' });
});

test.each<[string, string[]]>([
  ['postgres://u:p@a:5432,b:5433/db', ['postgres://u:p@a:5432/db', 'postgres://u:p@b:5433/db']],
  ['postgres://u@a,b:5433/db', ['postgres://u@a:5432/db', 'postgres://u@b:5433/db']],
  ['postgresql://a,b', ['postgresql://a:5432/', 'postgresql://b:5432/']],
  ['postgres://a,b/db?port=6000', ['postgres://a:6000/db', 'postgres://b:6000/db']],
  ['postgres://a,b/db?port=6000,6001', ['postgres://a:6000/db', 'postgres://b:6001/db']],
  [
    'postgres://u:p,w@d@[2001:db8::1]:5433,[::1]/db?sslmode=verify-full',
    [
      'postgres://u:p,w@d@[2001:db8::1]:5433/db?sslmode=verify-full',
      'postgres://u:p,w@d@[::1]:5432/db?sslmode=verify-full',
    ],
  ],
  [
    'postgres:///db?host=/run/postgresql,db.internal,::1',
    ['postgres://%2Frun%2Fpostgresql:5432/db', 'postgres://db.internal:5432/db', 'postgres://[::1]:5432/db'],
  ],
])('each host gets its own URL: %s', (url, urls) => {
  expect(serversOf(url).urls).toEqual(urls);
});

test('the TLS modes mean what they mean in libpq', () => {
  const tls = (url: string) => serversOf(url).urls.map((each) => new pg.Client(each).ssl);
  const ca = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(ca, 'a certificate');
  const anyName = { ca: 'a certificate', checkServerIdentity: expect.any(Function) };
  expect(tls('postgres://a/db?sslmode=disable')).toEqual([false]);
  expect(tls('postgres://a,b/db?sslmode=require')).toEqual(Array(2).fill({ rejectUnauthorized: false }));
  expect(tls('postgres://a/db?sslmode=no-verify')).toEqual([{ rejectUnauthorized: false }]);
  expect(tls(`postgres://a/db?sslmode=require&sslrootcert=${ca}`)).toEqual([anyName]);
  expect(tls(`postgres://a/db?sslmode=verify-ca&sslrootcert=${ca}`)).toEqual([anyName]);
  expect(tls(`postgres://a/db?sslmode=verify-full&sslrootcert=${ca}`)).toEqual([{ ca: 'a certificate' }]);
});

test('several hosts need a server that accepts writes, unless the URL says otherwise', () => {
  expect(serversOf('postgres://a,b/db').target).toBe('read-write');
  expect(serversOf('postgres://a,b/db?target_session_attrs=any').target).toBe('any');
  expect(serversOf('postgres://a/db?target_session_attrs=primary').target).toBe('primary');
});

test('the description contains every host and no credentials', () => {
  expect(serversOf('postgres://user:secret@a:5432,b/db?sslmode=require').description).toBe(
    'postgres://a:5432,b:5432/db',
  );
  expect(serversOf('postgres://user:secret@a:5433/db').description).toBe('postgres://a:5433/db');
});

const advice = 'in a user name, password or database name, write / as %2F, ? as %3F, # as %23 and @ as %40';

test.each([
  'postgres://user:12/secret@db/rollcall',
  'postgres://user:12?secret@db/rollcall',
  'postgres://user:12#secret@db/rollcall',
  'postgres://user:12/secret@a,b/rollcall',
  'postgres://user:12,34/secret@a,b/rollcall',
])('a password that would become part of the description is refused: %s', (url) => {
  expect(parseDatabaseUrl(url)).toEqual({ ok: false, problem: advice });
});

test.each([
  ['mysql://a/db', ''],
  ['postgres://a:port/db', ''],
  ['postgres://secret@a,,c/db', 'host 2 is empty'],
  ['postgres://secret@a,b:0/db', 'the port of host 2 is not a number from 1 to 65535'],
  ['postgres://secret:with/slash@a,b:x/db', advice],
  ['postgres://a,b:70000/db', 'the port of host 2 is not a number from 1 to 65535'],
  ['postgres://a,::1/db', 'host 2 is not valid; an IPv6 address needs brackets, as in [::1]:5432'],
  ['postgres://a,b,c/db?port=1,2', 'it has 3 hosts, but 2 ports'],
  [
    'postgres://a,b/db?target_session_attrs=standby',
    "target_session_attrs=standby allows servers that Rollcall can't write to; use read-write",
  ],
  [
    'postgres://a,b/db?target_session_attrs=secret',
    'target_session_attrs must be any, read-write or primary',
  ],
  [
    'postgres://a,b/db?load_balance_hosts=random',
    'load_balance_hosts is not supported; hosts are tried in order',
  ],
  [
    'postgres://a/db?sslmode=prefer',
    'sslmode=prefer may connect without TLS unnoticed; use require or disable',
  ],
  [
    'postgres://a/db?sslmode=secret',
    'sslmode must be one of disable, require, no-verify, verify-ca, verify-full',
  ],
  [
    'postgres://a/db?sslmode=verify-ca',
    'sslmode=verify-ca needs the certificate of the CA: add sslrootcert=<file>',
  ],
  ['postgres://a/db?hostaddr=::1', 'hostaddr is not supported; put the address in place of the host name'],
])('%s is refused without repeating any of it', (url, problem) => {
  expect(parseDatabaseUrl(url)).toEqual({ ok: false, problem });
});
