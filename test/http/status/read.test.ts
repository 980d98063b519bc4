import { hostname } from 'node:os';
import { expect, inject, test } from 'vitest';
import { version } from '../../../src/contract/version.js';
import { deleteHeartbeat } from '../../../src/storage/maintenance/node-heartbeats.js';
import { schemaVersion } from '../../../src/storage/migrate.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();

const read = async () => {
  const reply = await service.get('/service/status');
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data;
};

test('shows nodes, database and queues', async () => {
  await service.givenUser();
  const { port } = new URL(service.url);
  const isSeen = async () => (await read()).nodes.length;
  await expect.poll(isSeen).toBe(1);
  const status = await read();
  expect(status.nodes).toMatchObject([
    { id: `${hostname()}:${port}`, versions: [version], processes: 1, isAlive: true },
  ]);
  expect(status.database).toMatchObject({
    engine: inject('engine'),
    version: expect.stringMatching(/^\d+\.\d+$/),
    migrations: { latest: expect.stringMatching(/^\d{4}_/), pending: 0 },
  });
  expect(Number(status.database.migrations.latest.slice(0, 4))).toBe(schemaVersion);
  expect(status.database.bytes).toBeGreaterThan(1_000_000);
  expect(status.queues.messages).toMatchObject({ waiting: 1, held: 0, dormant: 0, parked: 0 });
  expect(status.queues.webhooks).toMatchObject({ active: 0, failing: 0, disabled: 0, paused: 0 });
  expect(status.lastBackup).toBeNull();
  const noBackup = [{ kind: 'noBackup', count: 1 }];
  expect(status.attention).toEqual(inject('engine') === 'embedded' ? noBackup : []);
});

test('shows the last backup', async () => {
  expect((await service.get('/service/backup')).status).toBe(200);
  await expect
    .poll(async () => (await read()).lastBackup)
    .toMatchObject({ fileName: null, encrypted: false, bytes: expect.any(Number), users: 2 });
  expect((await read()).attention).toEqual([]);
});

test('says what needs attention', async () => {
  const { pool } = service.database;
  await pool.query(`UPDATE deliveries SET state = 'parked'`);
  await pool.query(
    `INSERT INTO node_heartbeats (id, host, port, version, last_seen_at)
     VALUES ('0198c0de-7a11-7000-8000-5f1e2d3c4b5a', 'gone', 8080, '0.1.0', now() - interval '10 minutes')`,
  );
  const { nodes, attention } = await read();
  expect(nodes).toHaveLength(2);
  expect(attention).toEqual(
    expect.arrayContaining([
      { kind: 'nodeSilent', count: 1 },
      { kind: 'messagesParked', count: 1 },
    ]),
  );
  await deleteHeartbeat(pool, '0198c0de-7a11-7000-8000-5f1e2d3c4b5a');
  expect((await read()).nodes).toHaveLength(1);
});

test('requires access:admin', async () => {
  const token = await service.tokenFor('users:read', 'users:write', 'audit:read');
  expect((await service.get('/service/status', { token })).status).toBe(403);
});
