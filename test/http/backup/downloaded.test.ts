import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { inspectBackup } from '../../../src/domain/backups/restore-backup.js';
import { backupOf, opened, restored } from '../../support/backups.js';
import { anItem, aUser, newId, useOwnService } from '../../support/service.js';

const service = useOwnService();

function download(signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${service.token}` };
  return fetch(`${service.url}/service/backup`, { headers, ...(signal ? { signal } : {}) });
}

async function lastRecord() {
  const { rows } = await service.database.pool.query(
    `SELECT bytes::integer, users::integer, error, finished_at IS NOT NULL AS "isFinished"
     FROM backups ORDER BY id DESC LIMIT 1`,
  );
  return rows[0];
}

test('a download is a complete backup, and is recorded', async () => {
  const response = await download();
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="rollcall-\d{8}T\d{6}Z\.backup"$/,
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  const { rows, header } = await inspectBackup(one(bytes), undefined);
  expect(header.engine).toBe(service.database.kind);
  await expect
    .poll(lastRecord)
    .toEqual({ bytes: bytes.length, users: rows.users, error: null, isFinished: true });
  const { json } = await service.get('/service/access-events?kind=backup.downloaded');
  expect(json.data.items[0].actor.kind).toBe('client');
  expect(readdirSync(service.dataDir).filter((name) => name.startsWith('backup.'))).toEqual([]);
});

async function* one(bytes: Buffer) {
  yield bytes;
}

test('a caller who leaves ends the backup, and the next one can have it', async () => {
  const leaving = new AbortController();
  const items = Array.from({ length: 800 }, () => aUser({ name: newId().repeat(10) }));
  await service.createBulk(items);
  const first = await download(leaving.signal);
  leaving.abort();
  await expect(first.arrayBuffer()).rejects.toThrow();
  await expect.poll(() => service.context.backups.running).toBe(0);
  const next = await download();
  expect(next.status).toBe(200);
  await next.arrayBuffer();
});

const untilNoneRuns = () => expect.poll(() => service.context.backups.running).toBe(0);

test('a caller who leaves before the first byte leaves nothing running', async () => {
  await untilNoneRuns();
  const { pool } = service.database;
  // All connections are taken, so that the backup waits for one.
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const leaving = new AbortController();
  const left = download(leaving.signal).catch(() => 'left');
  await expect.poll(() => pool.waitingCount).toBeGreaterThan(0);
  leaving.abort();
  expect(await left).toBe('left');
  for (const client of taken) client.release();
  await expect.poll(lastRecord).toMatchObject({ error: 'It was not downloaded to its end.' });
  await untilNoneRuns();
});

test('a connection on which nobody reads is not kept forever', async () => {
  await untilNoneRuns();
  const timeouts: number[] = [];
  const onConnection = (socket: Socket) => {
    const setTimeout = socket.setTimeout.bind(socket);
    socket.setTimeout = (ms, callback) => {
      timeouts.push(ms);
      return setTimeout(ms, callback);
    };
  };
  service.app.server.on('connection', onConnection);
  onTestFinished(() => void service.app.server.off('connection', onConnection));
  const headers = { authorization: `Bearer ${service.token}` };
  const [response] = (await once(
    get(`${service.url}/service/backup`, { headers, agent: false }),
    'response',
  )) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response.resume(), 'end');
  expect(timeouts).toContain(600_000);
});

test('a backup under load has every write from before it, and one state of everything', async () => {
  const users = Array.from({ length: 60 }, () => aUser());
  await service.createBulk(users);
  const acknowledged = new Set(users.map(({ employeeID }) => employeeID));
  let rounds = 0;
  let isRunning = true;
  const creating = async () => {
    while (isRunning) acknowledged.add((await service.givenUser()).employeeID);
  };
  // Everyone is renamed in every round, and renamed back in the next.
  const renaming = async () => {
    for (let round = 0; isRunning; round++) {
      const [from, to] = round % 2 === 0 ? ['', 'r'] : ['r', ''];
      const items = users.map((user) =>
        anItem(user, {
          employeeID: user.employeeID + from,
          newEmployeeID: user.employeeID + to,
          name: `Round ${round}`,
        }),
      );
      await service.updateBulk(items);
      rounds = round + 1;
    }
  };
  const load = [creating(), creating(), renaming()];
  await expect.poll(() => rounds).toBeGreaterThan(1);
  const before = { created: [...acknowledged], rounds };
  const bytes = await backupOf(service.database);
  isRunning = false;
  await Promise.all(load);

  const { pool } = await opened(await restored(bytes));
  const names = (await pool.query<{ id: string }>("SELECT rtrim(employee_id, 'r') AS id FROM users")).rows;
  const known = new Set(names.map(({ id }) => id));
  expect(before.created.filter((id) => !known.has(id))).toEqual([]);
  // The log ends, for every user, with the state that the user has; and its numbers are behind us.
  const { rows } = await pool.query(
    `WITH last AS (
       SELECT DISTINCT ON (user_serial) user_serial, version, employee_id FROM changes
       WHERE user_serial IS NOT NULL ORDER BY user_serial, seq DESC)
     SELECT count(*)::integer AS wrong FROM users JOIN last ON user_serial = serial
     WHERE (users.version, users.employee_id) IS DISTINCT FROM (last.version, last.employee_id)`,
  );
  expect(rows).toEqual([{ wrong: 0 }]);
  const { rows: versions } = await pool.query<{ version: number }>(
    "SELECT max(version) AS version FROM users WHERE name LIKE 'Round %'",
  );
  expect(versions[0]?.version).toBeGreaterThan(before.rounds);
  const { rows: next } = await pool.query(
    "SELECT nextval('change_numbers') > max(seq) AS beyond FROM changes",
  );
  expect(next).toEqual([{ beyond: true }]);
});
