import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { rollcall } from '../support/command.js';
import { callProcess, expectNothingLost, killUnderLoad } from '../support/crash-load.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { freePort } from '../support/postgres-server.js';
import { aUser, credentialsIn, issueToken } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Counts the calls of fsync in all threads of a process, and prints the number on SIGUSR2. */
const countFsync = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
  const { fsyncSync } = fs;
  const calls = getEnvironmentData('calls') ?? new Int32Array(new SharedArrayBuffer(4));
  setEnvironmentData('calls', calls); // threads inherit it, and run this file too
  fs.fsyncSync = (descriptor) => { Atomics.add(calls, 0, 1); return fsyncSync(descriptor); };
  syncBuiltinESMExports();
  if (isMainThread) process.on('SIGUSR2', () => console.log('fsync calls: ' + calls[0]));`;

/** Written when the embedded database is closed, and removed when it is opened. */
const isClosed = (dataDir: string) => existsSync(join(dataDir, 'postgres.files'));

describe('the process', () => {
  // One test, because each start of the service takes seconds. test/release kills it many times.
  test('loses nothing to SIGKILL, keeps its data directory to itself, and finishes running requests on SIGTERM', async () => {
    const dataDir = await embeddedDirectory();
    const counter = join(temporaryDirectory(), 'count-fsync.mjs');
    writeFileSync(counter, countFsync);
    const killed = await (await spawned({ ROLLCALL_DATA_DIR: dataDir }, ['--import', counter])).ready();
    const token = await issueToken(killed.url, credentialsIn(dataDir));
    const calls = async () => {
      const before = killed.output.length;
      killed.child.kill('SIGUSR2');
      await expect.poll(() => killed.output.slice(before)).toContain('fsync calls: ');
      return Number(/fsync calls: (\d+)/.exec(killed.output.slice(before))?.[1]);
    };
    const creates = 20;
    const before = await calls();
    for (let at = 0; at < creates; at++)
      expect((await callProcess(killed, token, '/service/users', aUser())).status).toBe(201);
    expect((await calls()) - before, 'at least one per commit').toBeGreaterThanOrEqual(creates);

    const credentials = readFileSync(join(dataDir, 'first-credentials.json'), 'utf8');
    const acknowledged = await killUnderLoad(killed, token, { users: 50, rounds: 3, creates: 10 });
    expect(existsSync(join(dataDir, 'lock.sock')), 'the dead process left its socket behind').toBe(true);
    const service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    await expectNothingLost(service, token, acknowledged);
    expect(readFileSync(join(dataDir, 'first-credentials.json'), 'utf8')).toBe(credentials);
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
    expect(killed.output).toContain('first-credentials.json');
    const { clientSecret, password } = credentialsIn(dataDir) as unknown as Record<string, string>;
    expect(killed.output + service.output).not.toContain(clientSecret);
    expect(killed.output + service.output).not.toContain(password);

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
