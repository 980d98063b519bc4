import { describe, expect, onTestFinished, test } from 'vitest';
import { clientCredentials, createClient, followEvents, type Reconnect } from '../../client/src/index.js';
import { freePort } from '../support/postgres-server.js';
import { aUser, createDatabase, credentialsIn, newId } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

describe('a follower of events', () => {
  // What happens after SIGKILL is the same for all followers: see event-source.test.ts.
  test('receives all of them, once and in order, from a service that is restarted', async () => {
    const environment = {
      PORT: String(await freePort()),
      ROLLCALL_DATA_DIR: temporaryDirectory(),
      DATABASE_URL: await createDatabase(),
      ROLLCALL_EVENT_POLL_MS: '20',
    };
    const first = await (await spawned(environment)).ready();
    const rollcall = createClient({
      baseUrl: first.url,
      auth: clientCredentials(credentialsIn(environment.ROLLCALL_DATA_DIR)),
      retry: { pauseMs: 50, pauseMaxMs: 200 },
    });
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const told: string[] = [];
    const sequences: number[] = [];
    const reconnects: Reconnect[] = [];
    const onReconnect = (reconnect: Reconnect) => void reconnects.push(reconnect);
    const following = (async () => {
      const types = ['user.created'] as const;
      for await (const event of followEvents(rollcall, { types, signal: leaving.signal, onReconnect })) {
        told.push(event.data.employeeID);
        sequences.push(event.sequence);
      }
    })();
    following.catch(() => {}); // its result is checked below

    const created: string[] = [];
    const create = async () => {
      const body = aUser() as { employeeID: string; name: string; isActive: boolean };
      await rollcall.call('createUser', { body, headers: { 'idempotency-key': newId('key') } });
      created.push(body.employeeID);
    };
    const isTold = () => told.length > 0;
    while (!isTold()) await create(); // until the stream is open, wherever it starts
    await first.kill('SIGTERM');
    await expect.poll(() => reconnects.length).toBeGreaterThan(1);
    const second = await (await spawned(environment)).ready();
    expect(second.url).toBe(first.url);
    for (let count = 0; count < 3; count++) await create();
    await expect.poll(() => told.at(-1)).toBe(created.at(-1));

    expect(told).toEqual(created.slice(-told.length));
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    leaving.abort();
    await following;
  });
});
