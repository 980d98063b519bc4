import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { freePort } from '../support/postgres-server.js';
import { aUser, credentialsIn, issueToken } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

describe('the process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s finishes running requests, closes the database and exits with 0',
    async (signal) => {
      const dataDir = await embeddedDirectory();
      const service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
      const token = await issueToken(service.url, credentialsIn(dataDir));
      const items = Array.from({ length: 3 }, () => aUser({ password: 'secret' }));
      const running = request(`${service.url}/service/users/create-bulk`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json', expect: '100-continue' },
      });
      running.flushHeaders();
      await once(running, 'continue'); // the call is running and waits for its body
      const ended = service.kill(signal);
      await expect.poll(() => service.output).toContain(`${signal} received. Finishing running requests`);
      running.end(JSON.stringify({ items }));
      const [reply] = (await once(running, 'response')) as [IncomingMessage];
      expect(reply.statusCode).toBe(200);
      const { data } = (await json(reply)) as { data: { successItems: unknown[] } };
      expect(data.successItems).toHaveLength(items.length);
      expect(await ended).toBe(0);
      await expect(fetch(`${service.url}/healthz`), 'nothing listens any more').rejects.toThrow();
      await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    },
  );

  test('on a signal while it starts, stops as soon as it can, even where unhandled signals are ignored', async () => {
    const dataDir = await embeddedDirectory();
    const service = await spawned({ ROLLCALL_DATA_DIR: dataDir });
    await expect.poll(() => existsSync(join(dataDir, 'lock.sock')), { interval: 5 }).toBe(true);
    expect(await service.kill('SIGTERM'), 'not ended by the signal itself').toBe(0);
    expect(service.output).not.toContain('cannot be reached');
    await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
  });

  test('never logs secrets: without a terminal it only says where the credentials are', async () => {
    const dataDir = await embeddedDirectory();
    const service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    await expect.poll(() => service.output).toContain('first-credentials.json');
    const { clientSecret, password } = credentialsIn(dataDir) as unknown as Record<string, string>;
    expect(service.output).not.toContain(clientSecret);
    expect(service.output).not.toContain(password);
  });

  test('rejects an invalid configuration with one message per error', async () => {
    const service = await spawned({ ROLLCALL_BULK_ITEM_MAX: '5', PORT: 'http', DATABASE_URL: 'mysql://x' });
    expect(await service.exited).toBe(exitCodes.wrongUse);
    expect(service.output).toContain(
      'ROLLCALL_BULK_ITEM_MAX is not a Rollcall setting. Did you mean ROLLCALL_BULK_ITEMS_MAX?',
    );
    expect(service.output).toContain('PORT must be a whole number');
    expect(service.output).toContain('DATABASE_URL must be a URL that begins with postgres://');
    expect(service.output).not.toContain('mysql://x');
  });

  test('rejects a port in use with a clear message', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void other.close());
    const service = await spawned({ PORT: String(port), ROLLCALL_DATA_DIR: temporaryDirectory() });
    expect(await service.exited).toBe(exitCodes.refused);
    expect(service.output).toContain(
      `127.0.0.1:${port} is already in use. Stop the other program, or set PORT.`,
    );
  });
});
