import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { rollcall } from '../support/command.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { freePort } from '../support/postgres-server.js';
import { aUser, credentialsIn, issueToken } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Written when the embedded database is closed, and removed when it is opened. */
const isClosed = (dataDir: string) => existsSync(join(dataDir, 'postgres.files'));

describe('the process', () => {
  test('keeps its data directory to itself, logs no secrets, and finishes running requests on SIGTERM', async () => {
    const dataDir = await embeddedDirectory();
    const service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    const token = await issueToken(service.url, credentialsIn(dataDir));
    expect(isClosed(dataDir)).toBe(false);

    // A second process is told who uses the directory.
    const second = await spawned({ ROLLCALL_DATA_DIR: dataDir });
    const rotated = await rollcall(['keys', 'rotate'], { ROLLCALL_DATA_DIR: dataDir });
    expect([await second.exited, rotated.code]).toEqual([exitCodes.refused, exitCodes.refused]);
    const holder = `${dataDir} is in use by process ${service.child.pid} on ${hostname()}, since `;
    expect(second.output).toContain(holder);
    expect(second.output).toContain('ROLLCALL_DATA_DIR');
    expect(rotated.stderr).toContain(`Could not rotate the keys: The data directory ${holder}`);
    expect(rotated.stderr).toContain('Stop it first, and start it again afterwards.');

    // Without a terminal, it only says where the credentials are.
    expect(service.output).toContain('first-credentials.json');
    const { clientSecret, password } = credentialsIn(dataDir) as unknown as Record<string, string>;
    expect(service.output).not.toContain(clientSecret);
    expect(service.output).not.toContain(password);

    const items = Array.from({ length: 3 }, () => aUser({ password: 'secret' }));
    const running = request(`${service.url}/service/users/create-bulk`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', expect: '100-continue' },
    });
    running.flushHeaders();
    await once(running, 'continue'); // the call is running and waits for its body
    const ended = service.kill('SIGTERM');
    await expect.poll(() => service.output).toContain('SIGTERM received. Finishing running requests');
    running.end(JSON.stringify({ items }));
    const [reply] = (await once(running, 'response')) as [IncomingMessage];
    expect(reply.statusCode).toBe(200);
    const { data } = (await json(reply)) as { data: { successItems: unknown[] } };
    expect(data.successItems).toHaveLength(items.length);
    expect(await ended).toBe(0);
    await expect(fetch(`${service.url}/healthz`), 'nothing listens any more').rejects.toThrow();
    expect(isClosed(dataDir)).toBe(true);

    const afterwards = await rollcall(['keys', 'rotate', '--json'], { ROLLCALL_DATA_DIR: dataDir });
    expect(afterwards.code, afterwards.stderr).toBe(0);
    expect(JSON.parse(afterwards.stdout)).toEqual({ oldKeys: 1, revoked: false });
  });

  test('on a signal while it starts, stops as soon as it can, even where unhandled signals are ignored', {
    tags: 'release',
  }, async () => {
    const dataDir = await embeddedDirectory();
    const service = await spawned({ ROLLCALL_DATA_DIR: dataDir });
    await expect.poll(() => existsSync(join(dataDir, 'lock.sock')), { interval: 5 }).toBe(true);
    expect(await service.kill('SIGTERM'), 'not ended by the signal itself').toBe(0);
    expect(service.output).not.toContain('cannot be reached');
    await (await openEmbedded(dataDir)).close();
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
    const service = await spawned({
      PORT: String(port),
      DATABASE_URL: 'postgres://127.0.0.1:9/none',
      ROLLCALL_DATA_DIR: temporaryDirectory(),
    });
    expect(await service.exited).toBe(exitCodes.refused);
    expect(service.output).toContain(
      `127.0.0.1:${port} is already in use. Stop the other program, or set PORT.`,
    );
  });
});
