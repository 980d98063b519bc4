import type { Socket } from 'node:net';
import pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { openSocket, rawRequest } from '../../support/raw-http.js';
import { aUser, useOwnService } from '../../support/service.js';

const service = useOwnService({
  ROLLCALL_POOL_CONNECTIONS_MAX: '1',
  ROLLCALL_CONNECT_TIMEOUT_MS: '600000',
  ROLLCALL_LOCK_TIMEOUT_MS: '600000', // so that only cancellation ends a statement
  ROLLCALL_STATEMENT_TIMEOUT_MS: '600000',
  ROLLCALL_PLANNED_CALL_POLL_MS: '600000', // needs a connection
});

const withToken = () => ({ authorization: `Bearer ${service.token}`, 'content-type': 'application/json' });

const lookupBody = JSON.stringify({ employeeIDs: ['E1', 'E2'] });
const previewBody = JSON.stringify({ items: [{ employeeID: 'E1', name: 'Ada', isActive: true }] });

/** One of each kind of potentially long read. */
const reads = {
  'a search': () => rawRequest('GET', '/service/users?search=ada', withToken()),
  'a lookup': () => post('/service/users/lookup', lookupBody),
  'a dry run': () => post('/service/users/update-bulk?dryRun=true', previewBody),
  'a list of changes': () => rawRequest('GET', '/service/changes', withToken()),
  'a list of calls': () => rawRequest('GET', '/service/calls', withToken()),
};

function post(path: string, body: string): string {
  return rawRequest('POST', path, { ...withToken(), 'content-length': `${Buffer.byteLength(body)}` }, body);
}

/** Sends requests, each on its own connection, and waits until the service has received them all. */
async function send(...requests: string[]): Promise<Socket[]> {
  let arrived = 0;
  const count = () => arrived++;
  service.app.server.on('request', count);
  const sockets = await Promise.all(requests.map(() => openSocket(service.url)));
  sockets.forEach((socket, index) => void socket.write(requests[index] ?? ''));
  await expect.poll(() => arrived).toBe(requests.length);
  service.app.server.off('request', count);
  return sockets;
}

/** Disconnects, and waits until the service has noticed. */
async function hangUp(sockets: readonly Socket[]): Promise<void> {
  const connections = () =>
    new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)));
  const before = await connections();
  for (const socket of sockets) socket.destroy();
  await expect.poll(connections).toBeLessThanOrEqual(before - sockets.length);
}

describe('reads whose clients have disconnected', () => {
  test('never reach the database if they were waiting for a connection', async () => {
    await service.get('/service/users?limit=1'); // caches the client of the token for some seconds
    const connection = await service.database.pool.connect();
    const statements: string[] = [];
    const query = vi.spyOn(connection, 'query').mockImplementation(((...given: [pg.QueryConfig]) => {
      statements.push(typeof given[0] === 'string' ? given[0] : given[0].text);
      return pg.Client.prototype.query.apply(connection, given as never);
    }) as never);
    try {
      const requests = Object.values(reads).flatMap((request) => [request(), request()]);
      await hangUp(await send(...requests));
      connection.release();
      const { serial } = await service.givenUser(); // queues behind all of them
      expect(serial).toEqual(expect.any(String));
      expect(statements.filter((text) => /INSERT/.test(text)).length).toBeGreaterThan(0);
      expect(
        // The indexer may follow the change log meanwhile, in a transaction that is no snapshot.
        statements.filter((text) =>
          /user_search_query|FROM users WHERE|FROM changes(?! WHERE seq > \$1 AND seq <=)|FROM calls|REPEATABLE READ/.test(
            text,
          ),
        ),
      ).toEqual([]);
    } finally {
      query.mockRestore();
    }
  });

  test('log no warning or error', async () => {
    const loud = service.logs.split('\n').filter((line) => line !== '' && JSON.parse(line).level >= 40);
    expect(loud).toEqual([]);
  });
});

describe('a running read whose client has disconnected', () => {
  async function rival(): Promise<pg.Client> {
    const url = new URL(inject('postgresUrl'));
    url.pathname = new URL(service.database.description).pathname;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    return client;
  }

  /** The connections of the service. Statistics are cached within a transaction, so the cache is cleared first. */
  const activityOf = async (asking: pg.Client) => {
    await asking.query('SELECT pg_stat_clear_snapshot()');
    return (
      await asking.query(
        `SELECT pid, state, wait_event_type AS waits FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'rollcall'`,
      )
    ).rows;
  };

  test('is cancelled, and its connection is reused', async () => {
    await service.get('/service/users?limit=1');
    const blocking = await rival();
    try {
      // The indexer must not take the only connection and wait for the log.
      await blocking.query('BEGIN; SELECT FROM index_state FOR UPDATE');
      await blocking.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
      const sockets = await send(reads['a search']());
      await expect.poll(() => activityOf(blocking)).toMatchObject([{ state: 'active', waits: 'Lock' }]);
      const [before] = await activityOf(blocking);
      await hangUp(sockets);
      await expect.poll(() => activityOf(blocking)).toMatchObject([{ pid: before.pid, state: 'idle' }]);
      await blocking.query('ROLLBACK');
      expect((await service.get('/service/users?search=ada')).status).toBe(200);
      expect(await activityOf(blocking)).toMatchObject([{ pid: before.pid }]);
    } finally {
      await blocking.end();
    }
  });

  test('differs from a write, which is completed once started', async () => {
    const user = aUser();
    const patched = await service.givenUser();
    const blocking = await rival();
    try {
      await blocking.query('BEGIN; LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      const patch = JSON.stringify({ name: 'Grace Hopper' });
      const sockets = await send(
        post('/service/users', JSON.stringify(user)),
        rawRequest(
          'PATCH',
          `/service/users/${patched.serial}`,
          { ...withToken(), 'content-length': `${patch.length}` },
          patch,
        ),
      );
      await expect.poll(() => activityOf(blocking)).toMatchObject([{ state: 'active', waits: 'Lock' }]);
      await hangUp(sockets);
      await blocking.query('ROLLBACK');
      const created = () => service.get(`/service/users?employeeID=${user.employeeID}`);
      await expect.poll(async () => (await created()).json.data.items.length).toBe(1);
      await expect.poll(async () => (await service.readUser(patched.serial)).name).toBe('Grace Hopper');
    } finally {
      await blocking.end();
    }
  });

  test('is no error if the report of a write has become a stream that nobody reads', async () => {
    const blocking = await rival();
    const requestId = 'unread-report';
    try {
      await blocking.query('BEGIN; LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      const body = JSON.stringify({ items: Array.from({ length: 600 }, () => aUser()) });
      const headers = {
        ...withToken(),
        'x-request-id': requestId,
        'content-length': `${Buffer.byteLength(body)}`,
      };
      const sockets = await send(rawRequest('POST', '/service/users/create-bulk', headers, body));
      await expect.poll(() => activityOf(blocking)).toMatchObject([{ state: 'active', waits: 'Lock' }]);
      await hangUp(sockets);
      await blocking.query('ROLLBACK');
    } finally {
      await blocking.end();
    }
    const lines = () =>
      service.logs
        .split('\n')
        .filter((line) => line.includes(requestId))
        .map((line) => JSON.parse(line));
    await expect.poll(() => lines().map(({ msg }) => msg)).toContain('the client disconnected');
    expect(lines().filter(({ level }) => level >= 40)).toEqual([]);
  });
});
