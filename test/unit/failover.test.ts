import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { mayWorkElsewhere } from '../../src/storage/open-database.js';
import { SilenceLimit, silenceMaxMs } from '../../src/storage/pooler-client.js';
import { ServerChoice } from '../../src/storage/server-choice.js';

test('connections go to the first server until it fails, then to the next, and stay with the one that works', () => {
  const servers = new ServerChoice(['a', 'b', 'c'], 'read-write');
  expect(servers.current).toBe('a');
  servers.failed('a');
  expect(servers.current).toBe('b');
  servers.failed('a');
  expect(servers.current, 'another connection to the same server failed').toBe('b');
  servers.worked('b');
  expect(servers.current).toBe('b');
  servers.failed('b');
  servers.failed('c');
  expect(servers.current, 'after the last comes the first').toBe('a');
});

test.each([
  [{ code: 'ECONNREFUSED' }, true],
  [{ code: '57P03' }, true],
  [{ code: '25006' }, true],
  [{ code: '53300' }, true],
  [{ message: 'Connection terminated due to connection timeout' }, true],
  [{ message: 'timeout exceeded when trying to connect' }, false],
  [{ code: '28P01' }, false],
  [{ code: '3D000' }, false],
  [{ code: '42P01' }, false],
])('whether another server is tried after %j: %s', (fields, expected) => {
  expect(mayWorkElsewhere(Object.assign(new Error('of PostgreSQL'), fields))).toBe(expected);
});

test('a server that stays silent ends its connection', async () => {
  const socket = new Socket(); // nothing ever arrives
  new SilenceLimit(socket, 1);
  const failure = await once(socket, 'close').catch((thrown) => thrown);
  expect(failure).toMatchObject({ code: 'ETIMEDOUT' });
});

test('silence is allowed in a transaction without a statement timeout', () => {
  const socket = new Socket();
  const limit = new SilenceLimit(socket, 3_600_000);
  const statements = ['BEGIN', 'SET LOCAL statement_timeout = 0', 'SELECT 1', 'COMMIT', 'SELECT 2'];
  const allowed = statements.map((statement) => {
    limit.beforeStatement(statement);
    return socket.timeout;
  });
  expect(allowed).toEqual([3_600_000, 0, 0, 3_600_000, 3_600_000]);
});

test('the longest timeout that can be configured is no overflow', () => {
  expect(silenceMaxMs(60_000)).toBe(70_000);
  expect(silenceMaxMs(2 ** 31 - 1)).toBe(2 ** 31 - 1);
});
