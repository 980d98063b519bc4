import { beforeEach, describe, expect, test } from 'vitest';
import type { FeedSource, FileVersion, OpenedSource } from '../../../src/domain/feeds/source-reader.js';
import { parseListing } from '../../../src/sources/s3-responses.js';
import type { SourceOptions } from '../../../src/sources/source-context.js';
import {
  type S3Server,
  s3AccessKeyId,
  s3Region,
  s3SecretAccessKey,
  signatureProblem,
  startS3Server,
} from '../../support/s3-server.js';
import { aReader, neverAborted, readWhole } from '../../support/source-reading.js';

type S3Source = Extract<FeedSource, { type: 's3' }>;

let server: S3Server;

beforeEach(async () => {
  server = await startS3Server('hr');
});

/** Modified on the given day of November 2026. */
function put(key: string, day: number, body = `from ${key}`): void {
  server.objects.set(key, { body, modifiedAt: new Date(Date.UTC(2026, 10, day)) });
}

interface OpenOptions extends Partial<SourceOptions> {
  readonly known?: FileVersion;
  readonly secret?: string | null;
}

function open(
  overrides: Partial<S3Source> = {},
  { known, secret = s3SecretAccessKey, ...options }: OpenOptions = {},
): Promise<OpenedSource> {
  const place = { endpoint: server.url, region: s3Region, bucket: 'hr', accessKeyId: s3AccessKeyId };
  const source: S3Source = { type: 's3', key: 'users.csv', ...place, ...overrides };
  return aReader(options).open(source, { secret, passphrase: null }, known ?? null, neverAborted());
}

function failed(problem: object): object {
  return { status: 'failed', problem };
}

test('the server of these tests verifies the signature in the documentation of S3', () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  };
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
  expect(signatureProblem({ method: 'GET', headers }, url, 'us-east-1')).toBeUndefined();
  const forged = { ...headers, range: 'bytes=0-99' };
  expect(signatureProblem({ method: 'GET', headers: forged }, url, 'us-east-1')).toBe(
    'SignatureDoesNotMatch',
  );
});

describe('an object', () => {
  test('whose name cannot be stored is refused', async () => {
    put('users\u0001.csv', 18);
    expect(await open({ key: '*.csv' })).toEqual(failed({ code: 'invalid_name' }));
  });

  test('is read with its version', async () => {
    put('users.csv', 18);
    const { version, text } = await readWhole(await open());
    expect(text).toBe('from users.csv');
    expect(version).toMatchObject({ name: 'users.csv', modifiedAt: '2026-11-18T00:00:00.000Z', bytes: 14 });
    expect(await open({}, { known: version })).toEqual({ status: 'unchanged' });
    put('users.csv', 18, 'changed');
    expect((await open({}, { known: version })).status).toBe('file');
    await expect.poll(() => server.connectionsOpen).toBe(1);
  });

  test.each(["hr/all users (1)+*'!~ü&=?#%2F.csv".replace('*', ''), 'a//b.csv', '/a.csv'])(
    'has the key %s',
    async (key) => {
      put(key, 18);
      expect((await readWhole(await open({ key }))).text).toBe(`from ${key}`);
    },
  );

  test.each(['../users.csv', 'a/./users.csv'])('cannot have the key %s', async (key) => {
    expect(await open({ key })).toEqual(failed({ code: 'invalid_path' }));
  });

  test('that does not exist is missing, but its bucket must exist', async () => {
    expect(await open()).toEqual({ status: 'missing' });
    expect(await open({ bucket: 'other' })).toEqual(failed({ code: 'container_missing' }));
    expect(await open({ bucket: 'other', key: '*' })).toEqual(failed({ code: 'container_missing' }));
  });

  test('is not read with other credentials', async () => {
    const rejected = failed({ code: 'authentication_failed' });
    for (const key of ['users.csv', '*.csv']) {
      expect(await open({ key }, { secret: 'wrong' })).toEqual(rejected);
      expect(await open({ key, accessKeyId: 'other' })).toEqual(rejected);
      expect(await open({ key, region: 'us-east-1' })).toEqual(failed({ code: 'access_denied' }));
    }
    expect(await open({}, { secret: null })).toEqual(failed({ code: 'secret_missing' }));
  });

  test('is not read from an address that is not public', async () => {
    expect(await open({}, { targets: 'public' })).toEqual(failed({ code: 'address_refused' }));
    expect(server.requests).toEqual([]);
  });

  test('is not looked for where a redirect leads', async () => {
    server.answer = (response) => void response.writeHead(307, { location: server.url }).end();
    expect(await open()).toEqual(failed({ code: 'redirect_refused', reason: 'unexpected' }));
    expect(server.requests).toHaveLength(1);
  });
});

describe('a pattern', () => {
  test('means the newest object on all pages', async () => {
    for (let day = 1; day <= 9; day++) put(`hr/users-${day}.csv`, day === 5 ? 19 : day);
    put('hr/users-a.csv.tmp', 20);
    put('hr/users-b.csv', 20, '');
    put('hr/old/users-c.csv', 20);
    put('hr/groups.csv', 20);
    const { version, text } = await readWhole(await open({ key: 'hr/users-*.csv' }));
    expect(version.name).toBe('users-5.csv');
    expect(text).toBe('from hr/users-5.csv');
    expect(server.requests.at(-2)).toContain('prefix=hr%2Fusers-&delimiter=%2F&continuation-token=9');
    expect(await open({ key: 'hr/users-*.csv' }, { known: version })).toEqual({ status: 'unchanged' });
  });

  test('may cover folders', async () => {
    put('2026-10/users.csv', 1);
    put('2026-11/users.csv', 2);
    expect((await readWhole(await open({ key: '2026-*/users.csv' }))).text).toBe('from 2026-11/users.csv');
  });

  test('may match keys that XML has to escape', async () => {
    put('a<&>"b.csv', 1);
    expect((await readWhole(await open({ key: '*.csv' }))).text).toBe('from a<&>"b.csv');
  });

  test('that matches nothing is missing', async () => {
    expect(await open({ key: '*.csv' })).toEqual({ status: 'missing' });
  });

  test('does not lead back to an older object', async () => {
    put('users-1.csv', 16);
    const known = { name: 'users-2.csv', etag: '"2"', modifiedAt: '2026-11-18T00:00:00.000Z', bytes: 1 };
    expect(await open({ key: '*.csv' }, { known })).toEqual({ status: 'unchanged' });
  });

  test.each([
    ['replaced', () => put('users.csv', 19, 'changed')],
    ['deleted', () => void server.objects.clear()],
  ])('finds out if the object is %s after it was listed', async (_, change) => {
    put('users.csv', 18);
    server.onRequest = ({ pathname }) => {
      if (pathname === '/hr/users.csv') change();
    };
    expect(await open({ key: '*.csv' })).toEqual(failed({ code: 'changed_while_read' }));
  });

  test('is not answered by anything but a list', async () => {
    server.answer = (response) => void response.end('<html>chatter</html>');
    expect(await open({ key: '*.csv' })).toEqual(failed({ code: 'invalid_response', errorCode: null }));
  });
});

test.each([
  ['without its end', '<ListBucketResult><IsTruncated>false</IsTruncated>'],
  [
    'without the token of the next page',
    '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
  ],
  ['with an object without a time', '<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>'],
])('a list %s is not used', (_, xml) => {
  expect(parseListing(xml)).toBeUndefined();
});
