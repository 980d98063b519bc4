import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { inspectPostgres } from '../../src/cli/service/doctor/postgres.js';
import { readConfig } from '../../src/config.js';
import { anItem, aUser, type Reply, TestService } from '../support/service.js';
import { ask, type ReplicatedPostgres, startReplicatedPostgres } from '../support/standby.js';

async function replicated(): Promise<ReplicatedPostgres> {
  const postgres = await startReplicatedPostgres();
  onTestFinished(postgres.stop);
  return postgres;
}

async function serviceOn(databaseUrl: string, environment: Record<string, string> = {}) {
  const service = await TestService.start({ DATABASE_URL: databaseUrl, ...environment });
  onTestFinished(() => service.stop());
  return service;
}

function expectRetryable({ status, headers, json }: Reply): void {
  expect(status).toBe(503);
  expect([10901, 10902]).toContain(json.errorCode);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
}

/** Creates users one by one, and writes its round into two fields of the same users with bulk calls, until it is ended. */
class Load {
  readonly #service: TestService;
  readonly created: string[] = [];
  readonly users = Array.from({ length: 50 }, () => aUser());
  round = 0;
  #isRunning = true;
  readonly #work: Promise<unknown>;

  constructor(service: TestService) {
    this.#service = service;
    this.#work = Promise.all([this.#create(), this.#create(), this.#update()]);
  }

  async end(): Promise<void> {
    this.#isRunning = false;
    await this.#work;
  }

  async #create(): Promise<void> {
    while (this.#isRunning) {
      const user = aUser();
      const reply = await this.#service.post('/service/users', user);
      if (reply.status === 201) this.created.push(user.employeeID);
      else expectRetryable(reply);
      if (reply.status !== 201) await pause(20);
    }
  }

  async #update(): Promise<void> {
    await this.#service.createBulk(this.users);
    for (let round = 1; this.#isRunning; round++) {
      const changes = { name: `R${round}`, organizationSerial: `R${round}` };
      const reply = await this.#service.updateBulk(this.users.map((user) => anItem(user, changes)));
      if (reply.status !== 200) {
        expectRetryable(reply);
        await pause(20);
        continue;
      }
      const { successItems, failedItems } = reply.json.data;
      if (successItems.length === this.users.length) this.round = round;
      for (const { error } of failedItems) expect([10901, 10902]).toContain(error.errorCode);
    }
  }
}

async function everyone(service: TestService): Promise<Map<string, Record<string, unknown>>> {
  const users = new Map<string, Record<string, unknown>>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Reply = await service.get(`/service/users?limit=200${cursor && `&cursor=${cursor}`}`);
    for (const user of page.json.data.items) users.set(user.employeeID, user);
    cursor = page.json.data.nextCursor;
  }
  return users;
}

test('a killed primary: the service moves to the promoted standby, and no acknowledged write is lost', async () => {
  const { url, primary, promote } = await replicated();
  const service = await serviceOn(url);
  const load = new Load(service);
  await expect.poll(() => load.created.length >= 30 && load.round >= 5).toBe(true);
  await primary.kill();
  await pause(100);
  const before = { created: load.created.length, round: load.round };
  const start = performance.now();
  await promote();
  await expect.poll(() => load.created.length > before.created, { interval: 5 }).toBe(true);
  console.log(`first success ${Math.round(performance.now() - start)} ms after the promotion began`);
  await expect.poll(() => load.round > before.round).toBe(true);
  await load.end();

  const users = await everyone(service);
  expect(load.created.filter((employeeID) => !users.has(employeeID))).toEqual([]);
  const rounds = new Set(load.users.map(({ employeeID }) => users.get(employeeID)?.name));
  expect(rounds.size, 'a call of one transaction is there whole or not at all').toBe(1);
  expect(Number(String([...rounds][0]).slice(1))).toBeGreaterThanOrEqual(load.round);
});

test('a primary that becomes read-only: its connections are dropped, and the standby takes over', async () => {
  const { url, primary, standby, promote } = await replicated();
  const service = await serviceOn(url);
  await Promise.all(Array.from({ length: 5 }, () => service.givenUser()));
  await ask(primary, 'ALTER SYSTEM SET default_transaction_read_only = on');
  await ask(primary, 'SELECT pg_reload_conf()');
  await expect.poll(async () => (await service.post('/service/users', aUser())).status).toBe(503);
  const refused = await service.post('/service/users', aUser());
  expect(refused.json.errorCode, 'nothing was written, and the reply says so').toBe(10901);

  await promote();
  await expect.poll(async () => (await service.post('/service/users', aUser())).status).toBe(201);
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.post('/service/users', aUser())),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
  const { rows } = await ask(
    standby,
    `SELECT count(*)::integer AS users FROM users WHERE employee_id IS NOT NULL`,
  );
  expect(rows[0].users).toBeGreaterThanOrEqual(26);

  const facts = await inspectPostgres(readConfig({ DATABASE_URL: url, ROLLCALL_DATA_DIR: service.dataDir }));
  expect(facts.servers.map(({ kind }) => kind)).toEqual(['primary', 'primary']);
});

test('a commit that no standby confirms in time is not acknowledged', async () => {
  const { url, primary, standby } = await replicated();
  const service = await serviceOn(url, { ROLLCALL_STATEMENT_TIMEOUT_MS: '1500' });
  const user = await service.givenUser();
  await standby.halt();
  const replies = [
    await service.post('/service/users', aUser()),
    await service.updateBulk([anItem(user, { name: 'Changed' })]),
  ];
  for (const reply of replies) {
    expect(reply.status).toBe(503);
    expect(reply.json.errorCode).toBe(10902);
  }
  await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = ''`);
  await ask(primary, 'SELECT pg_reload_conf()');
});
