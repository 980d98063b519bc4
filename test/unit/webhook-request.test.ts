import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** A post that is closed when the test is over. Its time is ample, unless the test is about time. */
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

/** How a failure looks when no answer came. */
function unanswered(reason: string): WebhookAnswer {
  return { ok: false, status: null, reason, gone: false, retryAfterSeconds: undefined };
}

/** Why a webhook was not taken, after a look that the reason gives nothing away. */
async function reasonOf(posting: Promise<WebhookAnswer>): Promise<string> {
  const answer = await posting;
  if (answer.ok) throw new Error(`no failure but ${answer.status}`);
  for (const secret of ['/webhooks', 'hunter2', 'chatter', 'elsewhere', '.example']) {
    expect(answer.reason).not.toContain(secret);
  }
  return answer.reason;
}

/** Knows the answers to give for every name, one after the other, and the last one for ever. */
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

/** Public by its number, but in a part of IPv6 that was never handed out: nothing is there. */
const nobodysAddress = '3000::1';

/** Speaks TCP and no more: what it does with a connection is up to the test. */
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

describe('a webhook', () => {
  test('arrives byte for byte, with its headers', async () => {
    const receiver = await startWebhookReceiver();
    const body = '{"name":"Zoë 👍",\n "n":1}';
    const headers = { 'webhook-id': 'msg_7', 'webhook-signature': 'v1,a v1,b' };
    const answer = await aPost().post(aRequest(`${receiver.url}?from=acme&to=%20`, { headers, body }));
    expect(answer).toEqual({ ok: true, status: 204 });
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

  test.each([200, 201, 202, 204, 299])('is taken with an answer of %i, whatever the body', async (status) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = status;
    receiver.body = status === 204 ? '' : 'chatter '.repeat(100_000);
    expect(await aPost().post(aRequest(receiver.url))).toEqual({ ok: true, status });
    expect(receiver.requests).toHaveLength(1);
  });

  test('arrives over HTTPS at a host whose certificate is trusted', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const post = aPost({ ca: receiverCertificate, lookup: answering(['127.0.0.1']).lookup });
    for (const host of [receiverHost, '127.0.0.1']) {
      expect(await post.post(aRequest(`https://${host}:${receiver.port}/`))).toEqual({
        ok: true,
        status: 204,
      });
    }
    expect(receiver.requests.map(({ json }) => json)).toEqual([{ secret: 'hunter2' }, { secret: 'hunter2' }]);
  });
});

describe('an answer', () => {
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
  ])('of %i with Retry-After %j puts us off for %j seconds', async (status, header, seconds) => {
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
  ])('with a date %i seconds from now puts us off for %i to %i', async (secondsFromNow, least, most) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 503;
    receiver.headers = { 'retry-after': new Date(Date.now() + secondsFromNow * 1_000).toUTCString() };
    const answer = await aPost().post(aRequest(receiver.url));
    const seconds = answer.ok ? undefined : answer.retryAfterSeconds;
    expect(seconds).toBeGreaterThanOrEqual(least);
    expect(seconds).toBeLessThanOrEqual(most);
  });
});

describe('a connection', () => {
  test.each([0, 16 * 1024])('is used again after an answer of %i bytes', async (bytes) => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 200;
    receiver.body = 'x'.repeat(bytes);
    const post = aPost();
    for (let n = 0; n < 3; n++) await post.post(aRequest(receiver.url));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test('is used again over HTTPS', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const post = aPost({ ca: receiverCertificate });
    for (let n = 0; n < 3; n++) await post.post(aRequest(receiver.url));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test('is given up after a longer answer', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 200;
    receiver.body = 'x'.repeat(16 * 1024 + 1);
    const post = aPost();
    for (let n = 0; n < 2; n++) await post.post(aRequest(receiver.url));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('that the receiver had given up is replaced at once, past others that may be as dead', async () => {
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
    expect(await post.post(aRequest(receiver.url))).toEqual({ ok: true, status: 204 });
    expect(receiver.requests).toHaveLength(4);
    expect(receiver.requests[3]).toMatchObject({ connection: 3, body: aRequest('').body });
    expect(receiver.requests[3]?.headers['webhook-id']).toBe('msg_7');
  });

  test('is replaced once and no more', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost();
    await post.post(aRequest(receiver.url));
    receiver.behaviour = 'drop';
    expect(await reasonOf(post.post(aRequest(receiver.url)))).toBe(
      'The receiver closed the connection before it responded.',
    );
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test('is not replaced when it was new', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'drop';
    expect(await aPost().post(aRequest(receiver.url))).toEqual(
      unanswered('The receiver closed the connection before it responded.'),
    );
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('time', () => {
  const timeoutMs = 60_000;

  /** Only the test lets time pass for the sender; the receiver and the connections go on. */
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  const late = unanswered('The receiver did not respond in time.');

  test.each(['hang', 'drip-headers'] as const)(
    'runs out for a receiver that answers with %s',
    async (how) => {
      const receiver = await startWebhookReceiver();
      receiver.behaviour = how;
      const answer = aPost({ timeoutMs }).post(aRequest(receiver.url));
      await expect.poll(() => receiver.requests.length).toBe(1);
      vi.advanceTimersByTime(timeoutMs);
      expect(await answer).toEqual(late);
      await expect.poll(() => receiver.connectionsOpen).toBe(0);
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('runs out once for both tries', async () => {
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

  test.each(['http', 'https'])('runs out while the name is looked up (%s)', async (scheme) => {
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

  test('runs out before TLS begins', async () => {
    let isConnected = false;
    const port = await startTcpServer(() => {
      isConnected = true;
    });
    const answer = aPost({ timeoutMs }).post(aRequest(`https://127.0.0.1:${port}/`));
    await expect.poll(() => isConnected).toBe(true);
    vi.advanceTimersByTime(timeoutMs);
    expect(await answer).toEqual(late);
  });

  test('is not wasted on a body that never ends, though it comes quickly', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'flood';
    expect(await aPost({ timeoutMs }).post(aRequest(receiver.url))).toEqual({ ok: true, status: 200 });
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });

  test('is not wasted on a body that never ends and comes slowly: half a second is enough', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'drip';
    const answer = aPost({ timeoutMs }).post(aRequest(receiver.url));
    const timers = vi.getTimerCount();
    await expect
      .poll(() => vi.getTimerCount(), { message: 'the body is waited for' })
      .toBeGreaterThan(timers);
    vi.advanceTimersByTime(500);
    expect(await answer).toEqual({ ok: true, status: 200 });
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });

  test('that runs out during the body does not change the answer', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behaviour = 'drip';
    const answer = aPost({ timeoutMs: 400 }).post(aRequest(receiver.url));
    const timers = vi.getTimerCount();
    await expect
      .poll(() => vi.getTimerCount(), { message: 'the body is waited for' })
      .toBeGreaterThan(timers);
    vi.advanceTimersByTime(400);
    expect(await answer).toEqual({ ok: true, status: 200 });
  });
});

describe('the reason of a failure', () => {
  test('of a receiver that is not there', async () => {
    const receiver = await startWebhookReceiver();
    await receiver.stop();
    expect(await reasonOf(aPost().post(aRequest(receiver.url)))).toBe('The receiver refused the connection.');
  });

  test('of a receiver with several addresses that is at none of them', async () => {
    const receiver = await startWebhookReceiver();
    await receiver.stop();
    const post = aPost({ lookup: answering(['127.0.0.1', '::1']).lookup });
    expect(await reasonOf(post.post(aRequest(`http://${receiverHost}:${receiver.port}/`)))).toBe(
      'The receiver refused the connection.',
    );
  });

  test('of a host that has no address', async () => {
    const post = aPost({ lookup: answering([]).lookup });
    for (const scheme of ['http', 'https']) {
      expect(await reasonOf(post.post(aRequest(`${scheme}://${receiverHost}/`)))).toBe(
        'The host of the receiver cannot be found.',
      );
    }
  });

  test('of a certificate that nobody vouches for', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    expect(await reasonOf(aPost().post(aRequest(receiver.url)))).toBe(
      'The certificate of the receiver is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).',
    );
    expect(receiver.requests).toEqual([]);
  });

  test('of a certificate for another host', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const post = aPost({ ca: receiverCertificate, lookup: answering(['127.0.0.1']).lookup });
    expect(await reasonOf(post.post(aRequest(`https://elsewhere.example:${receiver.port}/`)))).toBe(
      'The certificate of the receiver is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).',
    );
    expect(receiver.requests).toEqual([]);
  });

  test('of a receiver without TLS', async () => {
    const receiver = await startWebhookReceiver();
    const url = receiver.url.replace('http:', 'https:');
    expect(await reasonOf(aPost().post(aRequest(url)))).toMatch(
      /^Could not establish a secure connection to the receiver \((?:EPROTO|ERR_SSL_[A-Z_]+)\)\.$/,
    );
  });

  test('of a receiver that hangs up before TLS', async () => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.destroy()));
    expect(await reasonOf(aPost().post(aRequest(`https://127.0.0.1:${port}/`)))).toBe(
      'The receiver closed the connection before it responded.',
    );
  });

  const notHttp = 'The response of the receiver is not valid HTTP';
  const closed = 'The receiver closed the connection before it responded.';

  test.each([
    ['not HTTP', 'chatter\r\n\r\n', `${notHttp} (HPE_INVALID_CONSTANT).`],
    ['too much', `HTTP/1.1 200 OK\r\nx: ${'chatter'.repeat(10_000)}`, `${notHttp} (HPE_HEADER_OVERFLOW).`],
    ['another protocol', 'HTTP/1.1 101 Hi\r\nConnection: upgrade\r\nUpgrade: chatter\r\n\r\n', closed],
    ['cut short', 'HTTP/1.1 200 OK\r\nx: chatter', closed],
  ])('of an answer that is %s', async (_, bytes, reason) => {
    const port = await startTcpServer((socket) => socket.once('data', () => socket.end(bytes)));
    expect(await reasonOf(aPost().post(aRequest(`http://127.0.0.1:${port}/`)))).toBe(reason);
  });

  test('of a request that cannot be written', async () => {
    const receiver = await startWebhookReceiver();
    const request = aRequest(receiver.url, { headers: { 'webhook-id': 'hunter2\r\nx: y' } });
    expect(await reasonOf(aPost().post(request))).toBe(
      'Cannot send the request to the receiver (ERR_INVALID_CHAR).',
    );
    expect(receiver.requests).toEqual([]);
  });
});

describe('only public receivers', () => {
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
  ])('are sent anything: %s is not', async (url, reason) => {
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
  ])('are sent anything: a host at %j is not', async (addresses, culprit) => {
    const receiver = await startWebhookReceiver({ tls: true });
    const { lookup } = answering(addresses);
    const post = aPost({ targets: 'public', ca: receiverCertificate, lookup });
    expect(await reasonOf(post.post(aRequest(`https://${receiverHost}:${receiver.port}/`)))).toBe(
      `The host of the receiver resolves to ${culprit}, which is not a public address.`,
    );
    expect(receiver.connectionsMade).toBe(0);
  });

  test('are connected to, when a name changes its address between the check and the connection', async () => {
    const receiver = await startWebhookReceiver({ tls: true });
    const { lookup, asked } = answering([nobodysAddress], ['127.0.0.1']);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const timeoutMs = 60_000;
    const post = aPost({ targets: 'public', timeoutMs, ca: receiverCertificate, lookup });
    const request = aRequest(`https://${receiverHost}:${receiver.port}/`);
    const first = reasonOf(post.post(request));
    await expect.poll(() => asked.length).toBe(1);
    vi.advanceTimersByTime(timeoutMs); // where such an address is not refused at once
    expect(await first).toMatch(
      /^(?:Cannot reach the receiver \(E[A-Z]+\)|The receiver (?:did not respond in time|refused the connection))\.$/,
    );
    expect(asked).toEqual([receiverHost]);
    expect(await reasonOf(post.post(request))).toBe(
      'The host of the receiver resolves to 127.0.0.1, which is not a public address.',
    );
    expect(asked).toEqual([receiverHost, receiverHost]);
    expect(receiver.connectionsMade).toBe(0);
  });
});

describe('a name', () => {
  test('is looked up once for each connection, which goes to that very address', async () => {
    const receiver = await startWebhookReceiver();
    const { lookup, asked } = answering(['127.0.0.1'], [nobodysAddress]);
    const post = aPost({ lookup });
    const request = aRequest(`http://${receiverHost}:${receiver.port}/`);
    for (let n = 0; n < 2; n++) expect(await post.post(request)).toEqual({ ok: true, status: 204 });
    expect(asked).toEqual([receiverHost]);
    expect(receiver.requests[1]).toMatchObject({
      connection: 1,
      headers: { host: `${receiverHost}:${receiver.port}` },
    });
  });

  test('is looked up again and checked for the connection that replaces a dead one', async () => {
    const receiver = await startWebhookReceiver();
    const { lookup, asked } = answering(['127.0.0.1'], []);
    const post = aPost({ lookup });
    const request = aRequest(`http://${receiverHost}:${receiver.port}/`);
    await post.post(request);
    receiver.behaviour = 'drop';
    expect(await reasonOf(post.post(request))).toBe('The host of the receiver cannot be found.');
    expect(asked).toEqual([receiverHost, receiverHost]);
  });

  test('with several addresses leads to the one that answers', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost({ lookup: answering(['::1', '127.0.0.1']).lookup });
    expect(await post.post(aRequest(`http://${receiverHost}:${receiver.port}/`))).toEqual({
      ok: true,
      status: 204,
    });
  });
});

describe('closing', () => {
  test.each([false, true])('ends the connections that were kept (TLS: %j)', async (tls) => {
    const receiver = await startWebhookReceiver({ tls });
    const post = aPost({ ca: receiverCertificate });
    await post.post(aRequest(receiver.url));
    expect(receiver.connectionsOpen).toBe(1);
    post.close();
    await expect.poll(() => receiver.connectionsOpen).toBe(0);
  });

  test('ends what is under way, without another try, and lets nothing begin', async () => {
    const receiver = await startWebhookReceiver();
    const post = aPost();
    await post.post(aRequest(receiver.url));
    receiver.behaviour = 'hang';
    const posting = post.post(aRequest(receiver.url));
    await expect.poll(() => receiver.requests.length).toBe(2);
    post.close();
    const stopped = unanswered('The service stopped before the receiver responded.');
    expect(await posting).toEqual(stopped);
    expect(await post.post(aRequest(receiver.url))).toEqual(stopped);
    expect(receiver.requests).toHaveLength(2);
  });

  test('ends the second try as well', async () => {
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
