import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { rollcall } from '../support/command.js';
import { freePort } from '../support/postgres-server.js';
import { openSocket, rawRequest, sendRaw } from '../support/raw-http.js';
import { aUser, createDatabase, credentialsIn, issueToken } from '../support/service.js';
import { type ServiceProcess, spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** A service with two workers. It has ended when no process is left that could write to its log. */
async function twoWorkers(environment: Record<string, string> = {}) {
  const dataDir = temporaryDirectory();
  const databaseUrl = environment.DATABASE_URL ?? (await createDatabase());
  const settings = { ROLLCALL_DATA_DIR: dataDir, ROLLCALL_WORKERS: '2', DATABASE_URL: databaseUrl };
  const service = await spawned({ ...settings, ...environment });
  const allEnded = new Promise<void>((resolve) => service.child.once('close', () => resolve()));
  return { service, dataDir, databaseUrl, allEnded };
}

const allServe = 'All 2 workers are ready.';
const times = (service: ServiceProcess, text: string) => service.output.split(text).length - 1;

/** Allows time for three processes that start one after the other on a busy machine. */
async function untilTold(service: ServiceProcess, text: string, count = 1): Promise<void> {
  await expect.poll(() => times(service, text)).toBe(count);
}

/** The processes that have answered requests, in order, according to the log. */
function answering(service: ServiceProcess): number[] {
  const lines = service.output.matchAll(/"pid":(\d+),.*"route":"\/service\/users"/g);
  return [...lines].map(([, pid]) => Number(pid));
}

/** Sends requests on separate connections, like many callers. Returns the processes that answered. */
async function ask(service: ServiceProcess, token: string, count: number): Promise<Set<number>> {
  const before = answering(service).length;
  const request = rawRequest('GET', '/service/users', { authorization: token });
  const replies = await Promise.all(Array.from({ length: count }, () => sendRaw(service.url, request)));
  expect(replies.map(({ status }) => status)).toEqual(Array(count).fill(200));
  await expect.poll(() => answering(service).length).toBe(before + count);
  return new Set(answering(service).slice(before));
}

function create(service: ServiceProcess, token: string): Promise<Response> {
  return fetch(`${service.url}/service/users`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(aUser()),
  });
}

/** A create that runs as long as the test wants, because it waits for a lock. */
async function runningCreate(service: ServiceProcess, token: string, databaseUrl: string) {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE users IN EXCLUSIVE MODE');
  const reply = create(service, token);
  const waiting = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE datname = current_database() AND relation = 'users'::regclass AND mode = 'RowExclusiveLock'
      AND NOT granted`;
  await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1);
  return { reply, goOn: () => holder.query('COMMIT') };
}

/** What the metrics say about the workers as a whole. */
async function counted(url: string, headers: Record<string, string> = {}) {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const requests =
    /^rollcall_http_requests_total\{route="\/service\/users",method="GET",status="200"\} (\d+)$/m;
  return {
    ready: /^rollcall_workers_ready (\d)$/m.exec(text)?.[1],
    up: /^rollcall_database_up (\d)$/m.exec(text)?.[1],
    requests: Number(requests.exec(text)?.[1]),
  };
}

describe('several workers', () => {
  test('wait for a late database, report once, share the work, replace one that dies, and end at once on a second signal', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = `/late_${randomBytes(6).toString('hex')}`;
    const metricsToken = 'a-token-for-metrics';
    const address = `127.0.0.1:${await freePort()}`;
    const { service, dataDir, allEnded } = await twoWorkers({
      DATABASE_URL: url.href,
      ROLLCALL_METRICS_ADDRESS: address,
      ROLLCALL_METRICS_TOKEN: metricsToken,
      ROLLCALL_DELIVERY_POLL_MS: '50',
    });
    await untilTold(service, ' listens on ');
    expect((await fetch(`${service.url}/service/users`)).status).toBe(503);

    const server = new pg.Client({ connectionString: inject('postgresUrl') });
    await server.connect();
    await server.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
    await server.end();
    await untilTold(service, allServe);
    for (const said of ['listens on', 'Ready.', 'First start:', 'Passwords go to', 'SECRET_KEY is not set']) {
      expect(times(service, said), said).toBe(1);
    }
    const token = await issueToken(service.url, credentialsIn(dataDir));
    const requests = 6;
    const before = await ask(service, token, requests);
    expect(before.size, 'who answered').toBe(2);
    expect(before, 'the first process only watches over them').not.toContain(service.child.pid);

    // Their metrics are added up, at the separate address and on the main port.
    const whole = { ready: '2', up: '1', requests };
    expect(await counted(`http://${address}`)).toEqual(whole);
    expect(await counted(service.url, { authorization: `Bearer ${metricsToken}` })).toEqual(whole);
    const status = await fetch(`${service.url}/service/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await status.json()) as { data: { nodes: unknown[] } };
    expect(data.nodes).toMatchObject([{ processes: 2, isAlive: true }]);

    const sender = Number(/"pid":(\d+),"msg":"Ready\./.exec(service.output)?.[1]); // it started alone
    process.kill(sender, 'SIGKILL');
    await untilTold(service, `Worker ${sender} exited (SIGKILL).`);
    expect(await ask(service, token, 4)).not.toContain(sender);
    await untilTold(service, allServe, 2);
    const after = await ask(service, token, 4);
    expect(after.size).toBe(2);
    expect(
      [...after].filter((pid) => before.has(pid)),
      'one stayed, one is new',
    ).toHaveLength(1);
    expect((await create(service, token)).status).toBe(201);
    await expect.poll(() => readdirSync(dataDir)).toContain('outbox');

    const { reply } = await runningCreate(service, token, url.href);
    const broken = expect(reply).rejects.toThrow();
    service.child.kill('SIGTERM');
    await untilTold(service, 'SIGTERM received. Finishing running requests');
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(1);
    await broken;
    await allEnded;
  });

  test('close connections above the limit, and on Ctrl-C, which all of them get, finish running requests', {
    tags: 'release',
  }, async () => {
    const { service, dataDir, databaseUrl, allEnded } = await twoWorkers({ ROLLCALL_CONNECTIONS_MAX: '8' });
    await untilTold(service, allServe);
    const token = await issueToken(service.url, credentialsIn(dataDir));
    const pids = await ask(service, token, 4);
    expect(pids.size).toBe(2);
    const sockets = await Promise.all(Array.from({ length: 17 }, () => openSocket(service.url)));
    await Promise.any(
      sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve))),
    );
    for (const socket of sockets) socket.destroy();

    const { reply, goOn } = await runningCreate(service, token, databaseUrl);
    for (const pid of [...pids, service.child.pid as number]) process.kill(pid, 'SIGINT');
    await untilTold(service, 'SIGINT received. Finishing running requests');
    await goOn();
    expect((await reply).status).toBe(201);
    expect(await service.exited).toBe(0);
    await allEnded;
    expect(times(service, 'exited ('), 'their end was no surprise').toBe(0);
  });

  test('end cleanly while the second is still starting', { tags: 'release' }, async () => {
    const { service, allEnded } = await twoWorkers();
    await untilTold(service, 'Ready.');
    expect(await service.kill('SIGTERM'), service.output).toBe(0);
    await allEnded;
    expect(service.output).not.toMatch(/EPIPE|^\s+at /m);
  });

  test('finish running requests and end if the parent process is gone', { tags: 'release' }, async () => {
    const { service, dataDir, databaseUrl, allEnded } = await twoWorkers();
    await untilTold(service, allServe);
    const token = await issueToken(service.url, credentialsIn(dataDir));
    const { reply, goOn } = await runningCreate(service, token, databaseUrl);
    await service.kill('SIGKILL');
    await goOn();
    expect((await reply).status).toBe(201);
    await allEnded;
  });
});

describe('a start with several workers is rejected once', () => {
  test('if the first cannot listen', { tags: 'release' }, async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void other.close());
    const { service, allEnded } = await twoWorkers({ PORT: String(port) });
    expect(await service.exited).toBe(exitCodes.refused);
    await allEnded;
    expect(service.output).toBe(
      `Could not start: 127.0.0.1:${port} is already in use. Stop the other program, or set PORT.\n`,
    );
  });

  test('on the embedded database', async () => {
    const refused = await rollcall(['serve', '--workers', '2']);
    expect(refused).toEqual({
      code: exitCodes.wrongUse,
      stdout: '',
      stderr:
        'Could not start:\n  The embedded database supports only one process, not 2 workers. Set DATABASE_URL to use PostgreSQL, or set ROLLCALL_WORKERS (--workers) to 1.\n',
    });
  });

  test('for an invalid number', async () => {
    const refused = await rollcall(['serve', '--workers', 'many']);
    expect(refused).toEqual({
      code: exitCodes.wrongUse,
      stdout: '',
      stderr: 'Could not start:\n  --workers must be a whole number from 1 to 256, or auto; got "many".\n',
    });
  });
});
