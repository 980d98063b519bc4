import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { WebhookProblem } from '../../src/contract/enums.js';
import {
  openWebhookPost,
  type WebhookAnswer,
  type WebhookPost,
  type WebhookPostOptions,
  type WebhookRequest,
} from '../../src/delivery/webhook-request.js';
import type { Lookup } from '../../src/domain/webhooks/webhook-url.js';
import { receiverCertificate, receiverHost, startWebhookReceiver } from '../support/webhook-receiver.js';

type WhenFinished = (end: () => Promise<void> | void) => void;

/** A sender that is closed when the test finishes, with a generous default timeout. */
function aPost(
  overrides: Partial<WebhookPostOptions> = {},
  whenFinished: WhenFinished = onTestFinished,
): WebhookPost {
  const post = openWebhookPost({ targets: 'any', timeoutMs: 10_000, userAgent: 'Rollcall/1', ...overrides });
  whenFinished(() => post.close());
  return post;
}

function aRequest(url: string, overrides: Partial<WebhookRequest> = {}): WebhookRequest {
  return { url, headers: { 'webhook-id': 'msg_7' }, body: '{"secret":"hunter2"}', ...overrides };
}

/** A failure without a response. */
function unanswered(problem: WebhookProblem, reason: string): WebhookAnswer {
  return {
    ok: false,
    status: null,
    problem,
    reason,
    gone: false,
    retryAfterSeconds: undefined,
    response: null,
  };
}

/** Why a webhook failed. Also checks that the reason reveals no secrets. */
async function reasonOf(posting: Promise<WebhookAnswer>): Promise<string> {
  const answer = await posting;
  if (answer.ok) throw new Error(`expected a failure, got ${answer.status}`);
  for (const secret of ['/webhooks', 'hunter2', 'chatter', 'elsewhere', '.example']) {
    expect(answer.reason).not.toContain(secret);
  }
  return answer.reason;
}

/** A lookup that returns these answers in turn, and then repeats the last one. */
function answering(...answers: (readonly string[])[]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async lookup(hostname) {
      asked.push(hostname);
      const addresses = answers[Math.min(asked.length, answers.length) - 1] ?? [];
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

/** A public IPv6 address in an unassigned range, so that nothing responds. */
const nobodysAddress = '3000::1';

/** A plain TCP server. The test decides what it does with a connection. */
async function startTcpServer(
  onConnection: (socket: Socket) => void,
  whenFinished: WhenFinished = onTestFinished,
): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  whenFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

describe('webhook', () => {
  test('arrives byte for byte, with its headers', async () => {
    const receiver = await startWebhookReceiver();
    const body = '{"name":"Zoë 👍",\n "n":1}';
    const headers = { 'webhook-id': 'msg_7', 'webhook-signature': 'v1,a v1,b' };
    const answer = await aPost().post(aRequest(`${receiver.url}?from=acme&to=%20`, { headers, body }));
    expect(answer).toMatchObject({ ok: true, status: 204 });
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]).toMatchObject({
      method: 'POST',
      path: '/webhooks?from=acme&to=%20',
      body,
      headers: {
        ...headers,
        host: `127.0.0.1:${receiver.port}`,
        'user-agent': 'Rollcall/1',
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
    });
  });

  test.each([200, 201, 202, 204, 299])(
    'succeeds with a response of %i, whatever the body',
    async (status) => {
      const receiver = await startWebhookReceiver();
      receiver.behaviour = status;
      receiver.body = status === 204 ? '' : 'chatter '.repeat(100_000);
      expect(await aPost().post(aRequest(receiver.url))).toMatchObject({ ok: true, status });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('is sent over HTTPS to a host with a trusted certificate', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const post = aPost({ ca: receiverCertificate, lookup: answering(['127.0.0.1']).lookup });
    for (const host of [receiverHost, '127.0.0.1']) {
      expect(await post.post(aRequest(`https://${host}:${receiver.port}/`))).toMatchObject({
        ok: true,
        status: 204,
      });
    }
    expect(receiver.requests.map(({ json }) => json)).toEqual([{ secret: 'hunter2' }, { secret: 'hunter2' }]);
  });
});

describe('response', () => {
  test.each([400, 401, 404, 410, 429, 500, 503])('of %i is a failure', async (status) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = status;
    receiver.body = 'chatter: hunter2';
    const answer = await aPost().post(aRequest(receiver.url));
    expect(answer).toEqual({
      ok: false,
      status,
      reason: `The receiver responded with ${status}.`,
      gone: status === 410,
      retryAfterSeconds: undefined,
      ...{ problem: 'responded', response: 'chatter: hunter2' },
    });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    'of %i is a redirect, which is not followed',
    async (status) => {
      const receiver = await startWebhookReceiver();
      const elsewhere = await startWebhookReceiver();
      receiver.behaviour = { redirect: elsewhere.url, status };
      const answer = await aPost().post(aRequest(receiver.url));
      expect(answer).toEqual({
        ok: false,
        status,
        reason: `The receiver responded with a redirect (${status}), which is not followed.`,
        gone: false,
        retryAfterSeconds: undefined,
        ...{ problem: 'redirected', response: null },
      });
      expect(receiver.requests).toHaveLength(1);
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test.each([
    [429, '120', 120],
    [503, '0', 0],
    [503, '3600', 3_600],
    [503, '3601', 3_600],
    [503, '9'.repeat(30), 3_600],
    [429, 'soon', undefined],
    [429, '-5', undefined],
    [429, '1.5', undefined],
    [429, '', undefined],
    [429, 'Never GMT', undefined],
    [500, '120', undefined],
    [200, '120', undefined],
  ])('of %i with Retry-After %j delays the retry by %j seconds', async (status, header, seconds) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = status;
    receiver.headers = { 'retry-after': header };
    const answer = await aPost().post(aRequest(receiver.url));
    expect(answer.ok ? undefined : answer.retryAfterSeconds).toBe(seconds);
  });

  test.each([
    [-60, 0, 0],
    [600, 540, 600],
    [48 * 3_600, 3_600, 3_600],
  ])(
    'with a date %i seconds from now delays the retry by %i to %i seconds',
    async (secondsFromNow, least, most) => {
      const receiver = await startWebhookReceiver();
      receiver.behaviour = 503;
      receiver.headers = { 'retry-after': new Date(Date.now() + secondsFromNow * 1_000).toUTCString() };
      const answer = await aPost().post(aRequest(receiver.url));
      const seconds = answer.ok ? undefined : answer.retryAfterSeconds;
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThanOrEqual(most);
    },
  );
});

describe('connection', () => {
  test.each([0, 16 * 1024])('is reused after a response of %i bytes', async (bytes) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 200;
    receiver.body = 'x'.repeat(bytes);
    const post = aPost();
    for (let n = 0; n < 3; n++) await post.post(aRequest(receiver.url));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test('is reused over HTTPS', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const post = aPost({ ca: receiverCertificate });
    for (let n = 0; n < 3; n++) await post.post(aRequest(receiver.url));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test('is closed after a longer response', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 200;
    receiver.body = 'x'.repeat(16 * 1024 + 1);
    const post = aPost();
    for (let n = 0; n < 2; n++) await post.post(aRequest(receiver.url));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('closed by the receiver is replaced by a new one, not by another idle one', async () => {
    const receiver = await startWebhookReceiver();
    let bothArrived = () => {};
    const both = new Promise<void>((resolve) => {
      bothArrived = resolve;
    });
    receiver.behaviour = async () => {
      if (receiver.requests.length === 2) bothArrived();
      await both;
      return 204;
    };
    const post = aPost();
    await Promise.all([post.post(aRequest(receiver.url)), post.post(aRequest(receiver.url))]);
    expect(receiver.connectionsMade).toBe(2);
    receiver.behaviour = ({ connection }) => (connection <= 2 ? 'drop' : 204);
    expect(await post.post(aRequest(receiver.url))).toMatchObject({ ok: true, status: 204 });
    expect(receiver.requests).toHaveLength(4);
    expect(receiver.requests[3]).toMatchObject({ connection: 3, body: aRequest('').body });
    expect(receiver.requests[3]?.headers['webhook-id']).toBe('msg_7');
  });

  test('is replaced only once', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost();
    await post.post(aRequest(receiver.url));
    receiver.behaviour = 'drop';
    expect(await reasonOf(post.post(aRequest(receiver.url)))).toBe(
      'The receiver closed the connection before it responded.',
    );
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test('is not replaced if it was new', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'drop';
    expect(await aPost().post(aRequest(receiver.url))).toEqual(
      unanswered('closed', 'The receiver closed the connection before it responded.'),
    );
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('timeout', () => {
  const timeoutMs = 60_000;

  /** The test controls time for the sender. The receiver and connections run in real time. */
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  const late = unanswered('timedOut', 'The receiver did not respond in time.');

  test.each(['hang', 'drip-headers'] as const)('expires for a receiver with behavior %s', async (how) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = how;
    const answer = aPost({ timeoutMs }).post(aRequest(receiver.url));
    await expect.poll(() => receiver.requests.length).toBe(1);
    vi.advanceTimersByTime(timeoutMs);
    expect(await answer).toEqual(late);
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
    expect(receiver.requests).toHaveLength(1);
  });

  test('covers both attempts', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost({ timeoutMs });
    await post.post(aRequest(receiver.url));
    receiver.behaviour = ({ connection }) => {
      if (connection > 1) return 'hang';
      vi.advanceTimersByTime(timeoutMs - 1);
      return 'drop';
    };
    const answer = post.post(aRequest(receiver.url));
    await expect.poll(() => receiver.requests.length).toBe(3);
    vi.advanceTimersByTime(1);
    expect(await answer).toEqual(late);
    expect(receiver.requests).toHaveLength(3);
  });

  test.each(['http', 'https'])('expires during the DNS lookup (%s)', async (scheme) => {
    let isAsked = false;
    const lookup = () => {
      isAsked = true;
      return new Promise<never>(() => {});
    };
    const answer = aPost({ timeoutMs, lookup }).post(aRequest(`${scheme}://${receiverHost}/`));
    await expect.poll(() => isAsked).toBe(true);
    vi.advanceTimersByTime(timeoutMs);
    expect(await answer).toEqual(late);
  });

  test('expires before the TLS handshake', async () => {
    let isConnected = false;
    const port = await startTcpServer(() => {
      isConnected = true;
    });
    const answer = aPost({ timeoutMs }).post(aRequest(`https://127.0.0.1:${port}/`));
    await expect.poll(() => isConnected).toBe(true);
    vi.advanceTimersByTime(timeoutMs);
    expect(await answer).toEqual(late);
  });

  test('is not used up by an endless body that arrives quickly', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'flood';
    expect(await aPost({ timeoutMs }).post(aRequest(receiver.url))).toMatchObject({ ok: true, status: 200 });
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });

  test('is not used up by an endless body that arrives slowly: reading stops after half a second', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'drip';
    const answer = aPost({ timeoutMs }).post(aRequest(receiver.url));
    const timers = vi.getTimerCount();
    await expect
      .poll(() => vi.getTimerCount(), { message: 'the body is waited for' })
      .toBeGreaterThan(timers);
    vi.advanceTimersByTime(500);
    expect(await answer).toMatchObject({ ok: true, status: 200 });
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });

  test('during the body does not change the result', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'drip';
    const answer = aPost({ timeoutMs: 400 }).post(aRequest(receiver.url));
    const timers = vi.getTimerCount();
    await expect
      .poll(() => vi.getTimerCount(), { message: 'the body is waited for' })
      .toBeGreaterThan(timers);
    vi.advanceTimersByTime(400);
    expect(await answer).toMatchObject({ ok: true, status: 200 });
  });
});

describe('failure reason', () => {
  test('for a receiver that is down', async () => {
    const receiver = await startWebhookReceiver();
    await receiver.stop();
    expect(await reasonOf(aPost().post(aRequest(receiver.url)))).toBe('The receiver refused the connection.');
  });

  test('for a receiver that is down at all of its addresses', async () => {
    const receiver = await startWebhookReceiver();
    await receiver.stop();
    const post = aPost({ lookup: answering(['127.0.0.1', '::1']).lookup });
    expect(await reasonOf(post.post(aRequest(`http://${receiverHost}:${receiver.port}/`)))).toBe(
      'The receiver refused the connection.',
    );
  });

  test('for a host without addresses', async () => {
    const post = aPost({ lookup: answering([]).lookup });
    for (const scheme of ['http', 'https']) {
      expect(await reasonOf(post.post(aRequest(`${scheme}://${receiverHost}/`)))).toBe(
        'The host of the receiver cannot be found.',
      );
    }
  });

  test('for an untrusted certificate', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    expect(await reasonOf(aPost().post(aRequest(receiver.url)))).toBe(
      'The certificate of the receiver is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).',
    );
    expect(receiver.requests).toEqual([]);
  });

  test('for a certificate of another host', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const post = aPost({ ca: receiverCertificate, lookup: answering(['127.0.0.1']).lookup });
    expect(await reasonOf(post.post(aRequest(`https://elsewhere.example:${receiver.port}/`)))).toBe(
      'The certificate of the receiver is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).',
    );
    expect(receiver.requests).toEqual([]);
  });

  test('for a receiver without TLS', async () => {
    const receiver = await startWebhookReceiver();
    const url = receiver.url.replace('http:', 'https:');
    expect(await reasonOf(aPost().post(aRequest(url)))).toMatch(
      /^Could not establish a secure connection to the receiver \((?:EPROTO|ERR_SSL_[A-Z_]+)\)\.$/,
    );
  });

  test('for a receiver that closes the connection before TLS', async () => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.destroy()));
    expect(await reasonOf(aPost().post(aRequest(`https://127.0.0.1:${port}/`)))).toBe(
      'The receiver closed the connection before it responded.',
    );
  });

  const notHttp = 'The response of the receiver is not valid HTTP';
  const closed = 'The receiver closed the connection before it responded.';

  test.each([
    ['not HTTP', 'chatter\r\n\r\n', `${notHttp} (HPE_INVALID_CONSTANT).`],
    ['too large', `HTTP/1.1 200 OK\r\nx: ${'chatter'.repeat(10_000)}`, `${notHttp} (HPE_HEADER_OVERFLOW).`],
    ['another protocol', 'HTTP/1.1 101 Hi\r\nConnection: upgrade\r\nUpgrade: chatter\r\n\r\n', closed],
    ['cut short', 'HTTP/1.1 200 OK\r\nx: chatter', closed],
  ])('for a response that is %s', async (_, bytes, reason) => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.end(bytes)));
    expect(await reasonOf(aPost().post(aRequest(`http://127.0.0.1:${port}/`)))).toBe(reason);
  });

  test('for a request that cannot be written', async () => {
    const receiver = await startWebhookReceiver();
    const request = aRequest(receiver.url, { headers: { 'webhook-id': 'hunter2\r\nx: y' } });
    expect(await reasonOf(aPost().post(request))).toBe(
      'Cannot send the request to the receiver (ERR_INVALID_CHAR).',
    );
    expect(receiver.requests).toEqual([]);
  });
});

describe('private targets', () => {
  test.each([
    ['http://example.com/', 'The URL of the receiver must start with https://.'],
    ['https://127.0.0.1:PORT/', 'The URL of the receiver must not point to a private or local address.'],
    [
      'https://[::ffff:127.0.0.1]:PORT/',
      'The URL of the receiver must not point to a private or local address.',
    ],
    ['https://2130706433:PORT/', 'The URL of the receiver must not point to a private or local address.'],
    ['https://localhost:PORT/', 'The URL of the receiver must not point to a private or local address.'],
    ['https://hunter2@8.8.8.8/', 'The URL of the receiver must not contain a username or password.'],
    ['chatter', 'The URL of the receiver must start with https://.'],
  ])('rejects the URL %s', async (url, reason) => {
    const receiver = await startWebhookReceiver({ tls: true });
    const { lookup, asked } = answering(['127.0.0.1']);
    const post = aPost({ targets: 'public', ca: receiverCertificate, lookup });
    expect(await reasonOf(post.post(aRequest(url.replace('PORT', String(receiver.port)))))).toBe(reason);
    expect(receiver.connectionsMade).toBe(0);
    expect(asked).toEqual([]);
  });

  test.each([
    [['127.0.0.1'], '127.0.0.1'],
    [['::ffff:7f00:1'], '::ffff:7f00:1'],
    [[nobodysAddress, '127.0.0.1'], '127.0.0.1'],
    [['127.0.0.1', nobodysAddress], '127.0.0.1'],
  ])('rejects a host at %j', async (addresses, culprit) => {
    const receiver = await startWebhookReceiver({ tls: true });
    const { lookup } = answering(addresses);
    const post = aPost({ targets: 'public', ca: receiverCertificate, lookup });
    expect(await reasonOf(post.post(aRequest(`https://${receiverHost}:${receiver.port}/`)))).toBe(
      `The host of the receiver resolves to ${culprit}, which is not a public address.`,
    );
    expect(receiver.connectionsMade).toBe(0);
  });

  test('connects only to the checked address, even if the DNS answer changes', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const { lookup, asked } = answering([nobodysAddress], ['127.0.0.1']);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const timeoutMs = 60_000;
    const options = { targets: 'public', timeoutMs, ca: receiverCertificate, lookup } as const;
    const request = aRequest(`https://${receiverHost}:${receiver.port}/`);
    const first = reasonOf(aPost(options).post(request));
    await expect.poll(() => asked.length).toBe(1);
    vi.advanceTimersByTime(timeoutMs); // on systems that don't reject such an address immediately
    expect(await first).toMatch(
      /^(?:Cannot reach the receiver \(E[A-Z]+\)|The receiver (?:did not respond in time|refused the connection))\.$/,
    );
    expect(asked).toEqual([receiverHost]);
    // Node.js 24 would go on with the first connection.
    expect(await reasonOf(aPost(options).post(request))).toBe(
      'The host of the receiver resolves to 127.0.0.1, which is not a public address.',
    );
    expect(asked).toEqual([receiverHost, receiverHost]);
    expect(receiver.connectionsMade).toBe(0);
  });
});

describe('host name', () => {
  test('is looked up once per connection, which uses that address', async () => {
    const receiver = await startWebhookReceiver();
    const { lookup, asked } = answering(['127.0.0.1'], [nobodysAddress]);
    const post = aPost({ lookup });
    const request = aRequest(`http://${receiverHost}:${receiver.port}/`);
    for (let n = 0; n < 2; n++) expect(await post.post(request)).toMatchObject({ ok: true, status: 204 });
    expect(asked).toEqual([receiverHost]);
    expect(receiver.requests[1]).toMatchObject({
      connection: 1,
      headers: { host: `${receiverHost}:${receiver.port}` },
    });
  });

  test('is looked up again for the connection that replaces a closed one', async () => {
    const receiver = await startWebhookReceiver();
    const { lookup, asked } = answering(['127.0.0.1'], []);
    const post = aPost({ lookup });
    const request = aRequest(`http://${receiverHost}:${receiver.port}/`);
    await post.post(request);
    receiver.behaviour = 'drop';
    expect(await reasonOf(post.post(request))).toBe('The host of the receiver cannot be found.');
    expect(asked).toEqual([receiverHost, receiverHost]);
  });

  test('with several addresses connects to the one that responds', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost({ lookup: answering(['::1', '127.0.0.1']).lookup });
    expect(await post.post(aRequest(`http://${receiverHost}:${receiver.port}/`))).toMatchObject({
      ok: true,
      status: 204,
    });
  });
});

describe('closing', () => {
  test.each([false, true])('closes idle connections (TLS: %j)', async (tls) => {
    const receiver = await startWebhookReceiver({ tls });
    const post = aPost({ ca: receiverCertificate });
    await post.post(aRequest(receiver.url));
    expect(receiver.connectionsOpen).toBe(1);
    post.close();
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });

  test('aborts running requests without a retry, and rejects new ones', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost();
    await post.post(aRequest(receiver.url));
    receiver.behaviour = 'hang';
    const posting = post.post(aRequest(receiver.url));
    await expect.poll(() => receiver.requests.length).toBe(2);
    post.close();
    const stopped = unanswered('stopped', 'The service stopped before the receiver responded.');
    expect(await posting).toEqual(stopped);
    expect(await post.post(aRequest(receiver.url))).toEqual(stopped);
    expect(receiver.requests).toHaveLength(2);
  });

  test('aborts the second attempt, too', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost();
    await post.post(aRequest(receiver.url));
    receiver.behaviour = ({ connection }) => (connection === 1 ? 'drop' : 'hang');
    const posting = post.post(aRequest(receiver.url));
    await expect.poll(() => receiver.requests.length).toBe(3);
    post.close();
    expect(await reasonOf(posting)).toBe('The service stopped before the receiver responded.');
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });
});
