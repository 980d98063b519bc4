import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sourceProblemText } from '../../../src/domain/feeds/source-problem.js';
import type { FeedSource, FileVersion, OpenedSource } from '../../../src/domain/feeds/source-reader.js';
import type { SourceOptions } from '../../../src/sources/source-context.js';
import { type FileServer, startFileServer } from '../../support/file-server.js';
import { aReader, neverAborted, problemWhileReading, readWhole } from '../../support/source-reading.js';

type HttpsSource = Extract<FeedSource, { type: 'https' }>;

const content = 'employeeID,username\n1,ada\n';
const modified = 'Wed, 18 Nov 2026 02:00:00 GMT';
const modifiedAt = '2026-11-18T02:00:00.000Z';

function aSource(url: string, overrides: Partial<HttpsSource> = {}): HttpsSource {
  return { type: 'https', url, auth: 'none', username: null, ...overrides };
}

function open(
  source: HttpsSource,
  { known = null, ...options }: Partial<SourceOptions> & { known?: FileVersion | null } = {},
): Promise<OpenedSource> {
  return aReader(options).open(source, { secret: 'hunter2', passphrase: null }, known, neverAborted());
}

function known(overrides: Partial<FileVersion>): FileVersion {
  return { name: 'users.csv', etag: null, modifiedAt: null, bytes: null, ...overrides };
}

/** A server with one file, for any path. */
function serving(headers: Record<string, string>, body: string | Buffer = content): Promise<FileServer> {
  return startFileServer((_, response) => void response.writeHead(200, headers).end(body));
}

describe('a file', () => {
  test('is read with its version', async () => {
    const server = await serving({ etag: '"1"', 'last-modified': modified, 'content-length': '26' });
    expect(await readWhole(await open(aSource(`${server.url}/hr/users%20all.csv?token=x`)))).toEqual({
      version: { name: 'users all.csv', etag: '"1"', modifiedAt, bytes: 26 },
      text: content,
    });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is decoded from %s', async (encoding, encode) => {
    const server = await serving({ 'content-encoding': encoding }, encode(content));
    expect((await readWhole(await open(aSource(server.url)))).text).toBe(content);
  });

  test.each(['zstd', 'gzip, br'])('in the encoding %s is refused', async (encoding) => {
    const server = await serving({ 'content-encoding': encoding });
    expect(await open(aSource(server.url))).toEqual({
      status: 'failed',
      problem: { code: 'unknown_encoding' },
    });
  });

  test('whose name cannot be stored is refused', async () => {
    const server = await serving({});
    expect(await open(aSource(`${server.url}/users%00.csv`))).toEqual({
      status: 'failed',
      problem: { code: 'invalid_name' },
    });
  });

  test.each([404, 410])('is missing with a status of %i', async (status) => {
    const server = await startFileServer((_, response) => void response.writeHead(status).end('chatter'));
    expect(await open(aSource(server.url))).toEqual({ status: 'missing' });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });
});

describe('a known version', () => {
  const conditional: RequestListener = ({ headers }, response) => {
    const isKnown = headers['if-none-match'] === '"1"' || headers['if-modified-since'] === modified;
    response
      .writeHead(isKnown ? 304 : 200, { 'content-length': isKnown ? 0 : 26 })
      .end(isKnown ? '' : content);
  };

  test.each([
    ['ETag', { etag: '"1"' }, 'unchanged'],
    ['time', { modifiedAt }, 'unchanged'],
    ['ETag, if it differs', { etag: '"0"' }, 'file'],
  ])('is recognized by its %s', async (_, version, status) => {
    const server = await startFileServer(conditional);
    const opened = await open(aSource(`${server.url}/users.csv`), { known: known(version) });
    expect(opened.status).toBe(status);
  });

  test.each([
    [{ etag: '"1"' }, { etag: '"1"' }, 'unchanged'],
    [{ etag: '"2"' }, { etag: '"1"' }, 'file'],
    [{ 'last-modified': modified, 'content-length': '26' }, { modifiedAt, bytes: 26 }, 'unchanged'],
    [{ 'last-modified': modified, 'content-length': '26' }, { modifiedAt, bytes: 25 }, 'file'],
    [{}, {}, 'file'],
  ])('is recognized by %j on servers that ignore conditions', async (headers, version, status) => {
    const server = await serving(headers as Record<string, string>);
    const opened = await open(aSource(`${server.url}/users.csv`), { known: known(version) });
    expect(opened.status).toBe(status);
  });
});

describe('credentials', () => {
  test.each([
    ['none', undefined],
    ['bearer', 'Bearer hunter2'],
    ['basic', `Basic ${Buffer.from('ada:hunter2').toString('base64')}`],
  ] as const)('of the kind %s are sent', async (auth, expected) => {
    let received: IncomingHttpHeaders = {};
    const server = await startFileServer(({ headers }, response) => {
      received = headers;
      response.end(content);
    });
    await open(aSource(server.url, { auth, username: 'ada' }));
    expect(received.authorization).toBe(expected);
  });

  test.each([
    [401, { code: 'authentication_failed' }],
    [403, { code: 'access_denied' }],
    [500, { code: 'http_status', status: 500 }],
    [204, { code: 'http_status', status: 204 }],
    [304, { code: 'http_status', status: 304 }],
  ])('with a response of %i end in %j', async (status, problem) => {
    const server = await startFileServer((_, response) => void response.writeHead(status).end());
    expect(await open(aSource(server.url))).toEqual({ status: 'failed', problem });
  });

  test('that are missing are not replaced by empty ones', async () => {
    const secret = { secret: null, passphrase: null };
    const source = aSource('https://127.0.0.1:1', { auth: 'bearer' });
    expect(await aReader().open(source, secret, null, neverAborted())).toEqual({
      status: 'failed',
      problem: { code: 'secret_missing' },
    });
  });
});

describe('a redirect', () => {
  /** Redirects each path to the next, as far as the test says where to. */
  async function redirecting(targets: Record<string, string>) {
    const requests: { path: string; authorization: string | undefined }[] = [];
    const server = await startFileServer(({ url = '', headers }, response) => {
      requests.push({ path: url, authorization: headers.authorization });
      const location = targets[url];
      if (location === undefined) response.end(content);
      else response.writeHead(302, { location }).end('elsewhere');
    });
    return { ...server, requests };
  }

  test('is followed with the credentials to the same origin', async () => {
    const server = await redirecting({ '/1.csv': '/2', '/2': '3' });
    const file = await readWhole(await open(aSource(`${server.url}/1.csv`, { auth: 'bearer' })));
    expect(file).toMatchObject({ version: { name: '1.csv' }, text: content });
    expect(server.requests).toEqual(
      ['/1.csv', '/2', '/3'].map((path) => ({ path, authorization: 'Bearer hunter2' })),
    );
  });

  test('to another origin takes the credentials away, also on the way back', async () => {
    const back: Record<string, string> = {};
    const other = await redirecting(back);
    const server = await redirecting({ '/1': `${other.url}/2` });
    back['/2'] = `${server.url}/3`;
    expect((await readWhole(await open(aSource(`${server.url}/1`, { auth: 'basic' })))).text).toBe(content);
    expect(server.requests.map(({ authorization }) => authorization?.slice(0, 5))).toEqual([
      'Basic',
      undefined,
    ]);
    expect(other.requests).toEqual([{ path: '/2', authorization: undefined }]);
  });

  test('is followed five times', async () => {
    const server = await redirecting({
      '/1': '/2',
      '/2': '/3',
      '/3': '/4',
      '/4': '/5',
      '/5': '/6',
      '/6': '/7',
    });
    expect((await open(aSource(`${server.url}/2`))).status).toBe('file');
    expect(await open(aSource(`${server.url}/1`))).toEqual({
      status: 'failed',
      problem: { code: 'redirect_refused', reason: 'too_many' },
    });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test.each([
    ['http://127.0.0.1/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['https://ada:hunter2@127.0.0.1/', 'invalid'],
    ['https://', 'invalid'],
  ])('to %s is refused', async (target, reason) => {
    const server = await redirecting({ '/1': target });
    expect(await open(aSource(`${server.url}/1`))).toEqual({
      status: 'failed',
      problem: { code: 'redirect_refused', reason },
    });
  });

  test('is checked like the first URL', async () => {
    const server = await redirecting({ '/1': 'https://inside.example/' });
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const allowedHosts = [{ name: 'hooks.example', withSubdomains: false, port: server.port }];
    const source = aSource(`https://hooks.example:${server.port}/1`);
    expect(await open(source, { lookup, allowedHosts })).toEqual({
      status: 'failed',
      problem: { code: 'host_not_allowed' },
    });
    expect(asked).toEqual(['hooks.example']);
  });
});

describe('an address', () => {
  test.each([
    ['http://example.com/', { code: 'insecure_url' }],
    ['ftp://example.com/', { code: 'insecure_url' }],
    ['chatter', { code: 'invalid_url' }],
    ['https://ada:hunter2@example.com/', { code: 'invalid_url' }],
    ['https://127.0.0.1/', { code: 'address_refused' }],
    ['https://[::ffff:127.0.0.1]/', { code: 'address_refused' }],
    ['https://2130706433/', { code: 'address_refused' }],
    ['https://inside.example/', { code: 'address_refused' }],
    ['https://nowhere.example/', { code: 'host_unknown' }],
  ])('in the URL %s is refused', async (url, problem) => {
    const lookup = async (host: string) =>
      host === 'inside.example' ? [{ address: '10.0.0.7', family: 4 }] : [];
    expect(await open(aSource(url), { targets: 'public', lookup })).toEqual({ status: 'failed', problem });
  });

  test('is used as it was checked, even if the next lookup returns another one', async () => {
    const server = await serving({});
    const answers = ['127.0.0.1', '8.8.8.8'];
    const lookup = async () => [{ address: answers.shift() ?? '8.8.8.8', family: 4 }];
    const opened = await open(aSource(`https://hooks.example:${server.port}/`), { lookup });
    expect((await readWhole(opened)).text).toBe(content);
  });

  test('where nothing listens is unreachable', async () => {
    expect(await open(aSource('https://127.0.0.1:1/'))).toEqual({
      status: 'failed',
      problem: { code: 'unreachable', errorCode: 'ECONNREFUSED' },
    });
  });

  test('with an untrusted certificate is refused', async () => {
    const server = await serving({});
    expect(await open(aSource(server.url), { ca: undefined })).toEqual({
      status: 'failed',
      problem: { code: 'certificate_not_trusted', errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
  });
});

describe('a body', () => {
  test('that is longer than announced is not read beyond it', async () => {
    const server = await startFileServer((_, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n123456789');
    });
    expect((await readWhole(await open(aSource(server.url)))).text).toBe('12345');
  });

  test.each([
    ['its length', 'content-length: 100\r\n\r\n12345'],
    ['its last chunk', 'transfer-encoding: chunked\r\n\r\n5\r\n12345\r\n'],
  ])('that ends before %s is incomplete', async (_, head) => {
    const server = await startFileServer((_, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\n${head}`);
    });
    expect(await problemWhileReading(await open(aSource(server.url)))).toEqual({ code: 'ended_early' });
  });

  test('without a length and chunks is refused, because its end could be missing', async () => {
    const server = await startFileServer((_, response) => {
      response.socket?.end('HTTP/1.1 200 OK\r\n\r\n12345');
    });
    expect(await open(aSource(server.url))).toEqual({
      status: 'failed',
      problem: { code: 'length_unknown' },
    });
  });

  test('that is compressed and cut off is incomplete', async () => {
    const server = await serving({ 'content-encoding': 'gzip' }, gzipSync(content).subarray(0, -6));
    expect(await problemWhileReading(await open(aSource(server.url)))).toEqual({ code: 'ended_early' });
  });

  test('that is not compressed as announced is damaged', async () => {
    for (const encoding of ['gzip', 'br']) {
      const server = await serving({ 'content-encoding': encoding });
      const problem = await problemWhileReading(await open(aSource(server.url)));
      expect(problem).toEqual({ code: 'corrupt_encoding' });
    }
  });

  const tooLarge = { code: 'too_large', bytesMax: 1_000 };

  test('that announces more than the limit is not read', async () => {
    const server = await serving({ 'content-length': '1001' }, 'x'.repeat(1_001));
    expect(await open(aSource(server.url), { fileMaxBytes: 1_000 })).toEqual({
      status: 'failed',
      problem: tooLarge,
    });
  });

  test.each([
    ['is sent', {}, Buffer.alloc(1_001)],
    ['is inflated', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000))],
  ])('is not read beyond the limit while it %s', async (_, headers, body) => {
    const server = await startFileServer((_, response) => {
      response.writeHead(200, { ...headers, 'transfer-encoding': 'chunked' }).end(body);
    });
    const opened = await open(aSource(server.url), { fileMaxBytes: 1_000 });
    expect(await problemWhileReading(opened).catch((error) => error.cause)).toEqual(tooLarge);
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('that is not valid HTTP is refused', async () => {
    const server = await startFileServer((_, response) => void response.socket?.end('chatter\r\n\r\n'));
    expect(await open(aSource(server.url))).toEqual({
      status: 'failed',
      problem: { code: 'invalid_response', errorCode: 'HPE_INVALID_CONSTANT' },
    });
  });

  test('that is never read is closed when reading is stopped', async () => {
    const server = await startFileServer((_, response) => void response.write(content));
    const stopping = new AbortController();
    const secret = { secret: null, passphrase: null };
    const opened = await aReader().open(aSource(server.url), secret, null, stopping.signal);
    expect(server.connectionsOpen).toBe(1);
    stopping.abort();
    await expect.poll(() => server.connectionsOpen).toBe(0);
    expect(await problemWhileReading(opened)).toEqual({ code: 'stopped' });
  });

  test('is closed when the reader leaves', async () => {
    const server = await startFileServer((_, response) => void response.write(content));
    const opened = await open(aSource(server.url));
    if (opened.status !== 'file') throw new Error(opened.status);
    for await (const _ of opened.bytes) break;
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });
});

describe('timeout', () => {
  const timeouts = { idleMs: 60_000, totalMs: 300_000, slowMs: 300_000, slowBytes: 1 };

  /** The test controls time for the reader. The server and connections run in real time. */
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  test('expires if no response comes', async () => {
    let requests = 0;
    const server = await startFileServer(() => void requests++);
    const opening = open(aSource(server.url), { timeouts });
    await expect.poll(() => requests).toBe(1);
    vi.advanceTimersByTime(timeouts.idleMs);
    expect(await opening).toEqual({ status: 'failed', problem: { code: 'timed_out' } });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });

  test('expires during the lookup', async () => {
    let isAsked = false;
    const lookup = () => {
      isAsked = true;
      return new Promise<never>(() => {});
    };
    const opening = open(aSource('https://hooks.example/'), { timeouts, lookup });
    await expect.poll(() => isAsked).toBe(true);
    vi.advanceTimersByTime(timeouts.idleMs);
    expect(await opening).toEqual({ status: 'failed', problem: { code: 'timed_out' } });
  });

  test('expires if the body stops', async () => {
    const server = await startFileServer((_, response) => void response.write(content));
    const opened = await open(aSource(server.url), { timeouts });
    if (opened.status !== 'file') throw new Error(opened.status);
    const bytes = opened.bytes[Symbol.asyncIterator]();
    expect((await bytes.next()).done).toBe(false);
    const problem = bytes.next().catch(({ problem }) => problem);
    vi.advanceTimersByTime(timeouts.idleMs);
    expect(await problem).toEqual({ code: 'timed_out' });
  });

  test('of an idle source does not run while what was read is used, but the total one does', async () => {
    const server = await startFileServer((_, response) => {
      response.write('1');
      response.write('2');
    });
    const opened = await open(aSource(server.url), { timeouts });
    if (opened.status !== 'file') throw new Error(opened.status);
    const bytes = opened.bytes[Symbol.asyncIterator]();
    await bytes.next();
    vi.advanceTimersByTime(timeouts.totalMs - 1);
    expect(server.connectionsOpen).toBe(1);
    vi.advanceTimersByTime(1);
    await expect(bytes.next()).rejects.toMatchObject({ problem: { code: 'timed_out' } });
    await expect.poll(() => server.connectionsOpen).toBe(0);
  });
});

test('a problem is a sentence without a secret', () => {
  const problem = { code: 'certificate_not_trusted', errorCode: 'CERT_HAS_EXPIRED' } as const;
  expect(sourceProblemText(problem)).toBe('The certificate of the server is not trusted (CERT_HAS_EXPIRED).');
});
