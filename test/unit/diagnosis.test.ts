import { expect, test } from 'vitest';
import type { Database } from '../../src/storage/database.js';
import { diagnose } from '../../src/storage/diagnosis.js';
import { databaseOutage } from '../../src/storage/errors.js';

const postgres = { kind: 'postgres', description: 'postgres://db/people' } as Database;
const embedded = { kind: 'embedded', description: 'the embedded database in /data' } as Database;

function failure(code: string | undefined, message = 'Key (email)=(ada@example.com)', more = {}): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code }, more);
}

test.each([
  ['ECONNREFUSED', 'connection refused', /host and port/],
  ['28000', 'login refused', /user and the password/],
  ['28P01', 'wrong password', /user and the password/],
  ['3D000', 'the database does not exist', /CREATE DATABASE/],
  ['25006', 'it does not accept writes', /primary.*default_transaction_read_only/],
  ['42501', 'the role is not allowed to do this', /rollcall migrate.*GRANT CREATE/],
  ['3F000', 'the search_path of the role contains no schema', /ALTER ROLE/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted', /sslrootcert/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host', /host/],
])('%s is told as "%s", without what the server says', (code, reason, advice) => {
  expect(diagnose(postgres, failure(code))).toEqual({
    problem: `Cannot use postgres://db/people: ${reason} (${code})`,
    advice: expect.stringMatching(advice),
  });
});

test('errors without a code of the server are told, too', () => {
  const problem = (error: Error) => diagnose(postgres, error)?.problem;
  expect(problem(failure(undefined, 'timeout expired'))).toMatch(/: no response$/);
  expect(problem(failure(undefined, 'The server does not support SSL connections'))).toMatch(
    /: it does not support TLS$/,
  );
  const missing = failure('ENOENT', 'no such file', { syscall: 'open', path: '/etc/ca.pem' });
  expect(problem(missing)).toMatch(/: cannot read \/etc\/ca\.pem \(ENOENT\)$/);
  expect(problem(new AggregateError([failure('ECONNREFUSED')]))).toMatch(
    /connection refused \(ECONNREFUSED\)$/,
  );
});

test('the embedded database is not looked for in DATABASE_URL', () => {
  expect(diagnose(embedded, failure('XX001'))?.advice).toMatch(/rollcall restore/);
  expect(diagnose(embedded, failure('53100'))?.advice).toBe('Free space on it.');
});

test('a bug of ours says nothing about the database', () => {
  expect(diagnose(postgres, failure('42703'))).toBeUndefined();
  expect(diagnose(postgres, new TypeError('x is not a function'))).toBeUndefined();
});

test('a refused certificate is an outage: requests get 503', () => {
  expect(databaseOutage(failure('SELF_SIGNED_CERT_IN_CHAIN'))).toBe('unavailable');
  expect(databaseOutage(failure(undefined, 'The server does not support SSL connections'))).toBe(
    'unavailable',
  );
});
