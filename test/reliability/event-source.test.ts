import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { type RunningService, startService } from '../../src/main.js';
import { expectNothingLost } from '../support/event-restarts.js';
import { answered, anyone, followed, putOff } from '../support/event-source.js';
import { freePort } from '../support/postgres-server.js';
import { silentLogger, TestService, useService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('the eventsource package receives every event once and in order, across a crash', {
  tags: 'release',
}, async () => {
  await expectNothingLost(async (url, token) => followed(url, token), ['SIGKILL']);
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

const service = useService();

test('an EventSource gets an error status for what retrying cannot fix', async () => {
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
