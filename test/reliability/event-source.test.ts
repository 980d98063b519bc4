import { once } from 'node:events';
import { EventSource } from 'eventsource';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { type RunningService, startService } from '../../src/main.js';
import { type EventFollower, expectNothingLost } from '../support/event-restarts.js';
import { freePort, startPostgres } from '../support/postgres-server.js';
import { silentLogger, TestService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** The browser EventSource for Node.js, which has to be given the token. */
function followed(url: string, token: string): EventFollower & { readonly source: EventSource } {
  const [told, state]: [string[], { attempts: number; positions: number }] = [
    [],
    { attempts: 0, positions: 0 },
  ];
  const source = new EventSource(`${url}/service/events`, {
    fetch: (input, init) => {
      state.attempts++;
      return fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
    },
  });
  onTestFinished(() => source.close());
  source.addEventListener('position', () => state.positions++);
  source.addEventListener('user.created', ({ data }) => told.push(JSON.parse(data).data.employeeID));
  return {
    source,
    told: async () => told,
    positions: async () => state.positions,
    hasGivenUp: async () => source.readyState === EventSource.CLOSED,
    attempts: () => state.attempts,
  };
}

test('the eventsource package receives every event once and in order, across restarts', async () => {
  await expectNothingLost(async (url, token) => followed(url, token), ['SIGTERM', 'SIGKILL']);
});

/** What an EventSource receives: the stream up to its end. */
async function answered(url: string, token: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/service/events`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers },
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const putOff = (detail: string, rest = '\n') => ({
  status: 200,
  type: 'text/event-stream; charset=utf-8',
  text: expect.stringMatching(new RegExp(`^: [^\\n]*${detail}[^\\n]*\\nretry: \\d{4,5}\\n${rest}$`)),
});

const anyone = { accept: 'text/event-stream, application/json' };

test('an EventSource survives a database outage during which it connects', async () => {
  const server = await startPostgres(['-c', 'fsync=off']);
  onTestFinished(server.stop);
  const service = await TestService.start({ DATABASE_URL: server.url, ROLLCALL_EVENT_POLL_MS: '20' });
  onTestFinished(() => service.stop());
  await server.halt();
  const follower = followed(service.url, service.token);
  await expect.poll(() => follower.attempts()).toBeGreaterThan(1);
  expect(await follower.hasGivenUp()).toBe(false);
  expect(await answered(service.url, service.token)).toEqual(putOff('database is unreachable'));
  const status = (await answered(service.url, service.token, anyone)).status;
  expect(status, 'whoever can read it is told by the status').toBe(503);

  await server.resume();
  await expect.poll(() => follower.positions()).toBeGreaterThan(0);
  const { employeeID } = await service.givenUser();
  await expect.poll(() => follower.told()).toEqual([employeeID]);
});

test('an EventSource that exceeds the rate limit or the stream limit is asked to retry', async () => {
  const service = await TestService.start({
    ROLLCALL_REQUESTS_PER_MINUTE_MAX: '50',
    ROLLCALL_EVENT_STREAMS_MAX: '1',
  });
  onTestFinished(() => service.stop());
  const taken = followed(service.url, service.token);
  await expect.poll(() => taken.positions()).toBeGreaterThan(0);
  const place = 'id: \\d+\\nevent: position\\ndata:\\n\\n';
  expect(await answered(service.url, service.token)).toEqual(putOff('has reached its limit', place));
  expect((await answered(service.url, service.token, anyone)).status).toBe(503);

  while ((await service.get('/service/users')).status === 200);
  expect(await answered(service.url, service.token)).toEqual(putOff('per minute'));
  expect((await answered(service.url, service.token, anyone)).status).toBe(429);
});

test('an EventSource gets an error status for what retrying cannot fix', async () => {
  const service = await TestService.start();
  onTestFinished(() => service.stop());
  expect((await answered(service.url, 'nobody')).status).toBe(401);
  expect((await answered(service.url, await service.tokenFor('users:read'))).status).toBe(403);
  expect((await answered(service.url, service.token, { 'last-event-id': '99999999' })).status).toBe(400);
});

describe('an EventSource that connects while the service starts', () => {
  async function starting(holdMs: number): Promise<Pick<RunningService, 'url' | 'app' | 'stop'>> {
    const service = await startService(
      readConfig({
        HOST: '127.0.0.1',
        PORT: '0',
        DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/postgres`,
        ROLLCALL_DATA_DIR: temporaryDirectory(),
        ROLLCALL_EVENT_HOLD_MS: String(holdMs),
      }),
      silentLogger,
    );
    let stopped: Promise<boolean> | undefined;
    const stop = () => (stopped ??= service.stop());
    onTestFinished(async () => void (await stop()));
    return { url: service.url, app: service.app, stop };
  }

  test('is asked to retry after a while', async () => {
    const { url } = await starting(50);
    expect(await answered(url, 'x')).toEqual(putOff('starting'));
    expect((await answered(url, 'x', anyone)).status).toBe(503);
  });

  test('is asked to retry at once if the service stops', async () => {
    const service = await starting(600_000);
    const arrived = once(service.app.server, 'request');
    const held = answered(service.url, 'x');
    await arrived;
    await service.stop();
    expect(await held).toEqual(putOff('shutting down'));
  });
});
