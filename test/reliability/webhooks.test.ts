import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../src/config.js';
import { createDatabase, TestService, useOwnService } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import {
  type ReceiverAnswer,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhook-receiver.js';
import {
  eagerEvents,
  eventsOf,
  type GivenWebhook,
  givenChanges,
  givenWebhook,
  idsOf,
  keepsLooking,
  loggedAfter,
  sendsNoWebhooks,
  sequencesOf,
  webhookNow,
} from '../support/webhooks.js';

/** The same on all nodes, as an operator would configure it. */
const shared = {
  ...eagerEvents,
  ROLLCALL_BOOTSTRAP_CLIENT_ID: 'tests',
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: randomBytes(32).toString('base64url'),
  ROLLCALL_SECRET_KEY: randomBytes(32).toString('base64'),
};

/** A claim on a webhook lasts twice this long. */
const impatient = { ROLLCALL_WEBHOOK_TIMEOUT_MS: '1000' };

/** Slow tests run concurrently, so they need their own cleanup hook. */
type WhenFinished = (end: () => Promise<void>) => void;

/** A node that stops with the test. */
async function startNode(
  databaseUrl: string,
  environment: Environment = {},
  whenFinished: WhenFinished = onTestFinished,
): Promise<TestService> {
  const node = await TestService.start({ ...shared, DATABASE_URL: databaseUrl, ...environment });
  whenFinished(() => node.stop());
  return node;
}

/** A webhook and a receiver, both removed with the test. */
async function givenBoth(
  node: TestService,
  settings: Record<string, unknown> = {},
  whenFinished: WhenFinished = onTestFinished,
): Promise<{ receiver: WebhookReceiver; webhook: GivenWebhook }> {
  const receiver = await startWebhookReceiver({}, whenFinished);
  const webhook = await givenWebhook(node, { url: receiver.url, ...settings });
  whenFinished(async () => {
    await node.request('DELETE', webhook.path);
  });
  return { receiver, webhook };
}

const patch = (node: TestService, { path }: GivenWebhook, body: unknown) =>
  node.request('PATCH', path, { body });

/** Delays responses until the test provides one. */
function hold(receiver: WebhookReceiver): (answer: ReceiverAnswer) => void {
  let letGo: (answer: ReceiverAnswer) => void = () => {};
  const held = new Promise<ReceiverAnswer>((resolve) => {
    letGo = resolve;
  });
  receiver.behaviour = () => held;
  return letGo;
}

/** Counts how many messages the receiver handles concurrently. */
function countingAtOnce(receiver: WebhookReceiver, answersInMs: number): { most: number } {
  const count = { most: 0, now: 0 };
  receiver.behaviour = async () => {
    count.most = Math.max(count.most, ++count.now);
    await pause(answersInMs); // long enough for another one to arrive meanwhile
    count.now--;
    return 204;
  };
  return count;
}

const pair = {
  ...shared,
  DATABASE_URL: await createDatabase(),
};
const [one, two] = [useOwnService(pair), useOwnService(pair)];
keepsLooking(one);

describe('two nodes', () => {
  test('never deliver to one webhook concurrently, keep the order, and lose or repeat nothing', async () => {
    const both = [await givenBoth(one, { batchMax: 1 }), await givenBoth(two, { batchMax: 3 })];
    const counts = both.map(({ receiver }) => countingAtOnce(receiver, 2));
    const start = both[0]?.webhook.data.deliveredUpTo;
    const create = async (node: TestService) => {
      for (let count = 0; count < 12; count++) await node.givenUser();
    };
    await Promise.all([create(one), create(two), create(one)]);
    const logged = await loggedAfter(one, start);
    expect(logged).toHaveLength(36);
    for (const { receiver } of both) {
      await expect.poll(() => sequencesOf(receiver.requests).length).toBe(36);
      expect(sequencesOf(receiver.requests)).toEqual(logged);
    }
    expect(counts.map(({ most }) => most)).toEqual([1, 1]);
  });

  test('send thousands of pending events once, in order, and in batches of limited size', async () => {
    const { receiver, webhook } = await givenBoth(one, { batchMax: 250 });
    await patch(one, webhook, { isActive: false });
    const numbers = await givenChanges(one, 3_100);
    await patch(one, webhook, { isActive: true });
    await expect.poll(() => sequencesOf(receiver.requests).length).toBe(3_100);
    expect(sequencesOf(receiver.requests)).toEqual(numbers);
    const sizes = receiver.requests.map((message) => eventsOf(message).length);
    expect(Math.max(...sizes)).toBe(250);
    expect(sizes.length, 'and in few messages').toBeLessThanOrEqual(16);
  });

  test('limit messages to about a megabyte', async () => {
    const { receiver } = await givenBoth(one, { batchMax: 1_000 });
    const fields = JSON.stringify({ name: { before: null, after: 'é'.repeat(60_000) } });
    const numbers = await givenChanges(one, 30, { fields });
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual(numbers);
    for (const { body } of receiver.requests) {
      expect(Buffer.byteLength(body)).toBeLessThan(1.01 * 1024 * 1024);
    }
    expect(receiver.requests.length).toBeGreaterThan(3);
  });

  test('skip thousands of events that a webhook does not subscribe to', async () => {
    const { receiver, webhook } = await givenBoth(one, { eventTypes: ['user.created'] });
    await givenChanges(one, 2_500);
    const { serial } = await one.givenUser();
    await expect.poll(() => receiver.requests.map(({ json }) => json.data.userSerial)).toEqual([serial]);
    const [last] = (await givenChanges(one, 2_500)).slice(-1);
    await expect.poll(async () => (await webhookNow(one, webhook)).deliveredUpTo).toBe(last);
    expect(receiver.requests).toHaveLength(1);
  });

  test('do not delay others for receivers that hang, fail, redirect, disconnect or never finish', async () => {
    const troubles = [
      'hang',
      500,
      { redirect: 'http://127.0.0.1:9/' },
      'drop',
      'drip-headers',
      'drip',
      'flood',
    ];
    // Longer than a test may take: if anything waits for a hanging receiver, the test doesn't end.
    const patient = { ROLLCALL_WEBHOOK_TIMEOUT_MS: '3600000' };
    const databaseUrl = await createDatabase();
    const [third, fourth] = await Promise.all([
      startNode(databaseUrl, patient),
      startNode(databaseUrl, patient),
    ]);
    for (const trouble of troubles as ReceiverAnswer[]) {
      const { receiver } = await givenBoth(third, { batchMax: 1 });
      receiver.behaviour = trouble;
    }
    const good = [await givenBoth(third, { batchMax: 1 }), await givenBoth(fourth, { batchMax: 1 })];
    const told: number[] = [];
    for (let round = 0; round < 3; round++) {
      told.push(...(await givenChanges(third, 1)));
      for (const { receiver } of good) await expect.poll(() => sequencesOf(receiver.requests)).toEqual(told);
    }
  });

  test('disable a webhook after three days of failures, and continue without gaps once enabled', async () => {
    const { receiver, webhook } = await givenBoth(one);
    const failingFor = async (hours: number) => {
      const { rows } = await one.database.pool.query(
        `UPDATE webhooks SET failing_since = now() - make_interval(hours => $2) WHERE id = $1 RETURNING attempts`,
        [webhook.id, hours],
      );
      return rows[0].attempts;
    };
    receiver.behaviour = 500;
    const numbers = await givenChanges(one, 2);
    await expect.poll(async () => (await webhookNow(one, webhook)).attempts).toBeGreaterThanOrEqual(1);
    const attempts = await failingFor(71);
    await expect.poll(async () => (await webhookNow(one, webhook)).attempts).toBeGreaterThan(attempts + 1);
    expect((await webhookNow(one, webhook)).isActive).toBe(true);
    await failingFor(72);
    await expect
      .poll(() => webhookNow(one, webhook))
      .toMatchObject({
        isActive: false,
        disabledBecause: 'Every attempt has failed for 72 hours.',
        lastError: 'The receiver responded with 500.',
        nextAttemptAt: null,
      });
    expect(one.logs + two.logs).toContain('webhook disabled');
    const tried = receiver.requests.length;
    receiver.behaviour = 204;
    const missed = await givenChanges(one, 2);
    expect((await patch(one, webhook, { isActive: true })).json.data).toMatchObject({
      isActive: true,
      disabledBecause: null,
      attempts: 0,
      failingSince: null,
    });
    await expect.poll(() => sequencesOf(receiver.requests.slice(tried))).toEqual([...numbers, ...missed]);
  });

  test('send a message in progress to the new URL again, whatever the old one responds', async () => {
    const { receiver, webhook } = await givenBoth(one);
    const next = await startWebhookReceiver();
    const letGo = hold(receiver);
    const numbers = await givenChanges(one, 1);
    await expect.poll(() => receiver.requests.length).toBe(1);
    await patch(two, webhook, { url: next.url });
    await expect.poll(() => sequencesOf(next.requests)).toEqual(numbers);
    letGo(410);
    const then = await givenChanges(one, 1);
    await expect.poll(() => sequencesOf(next.requests)).toEqual([...numbers, ...then]);
    expect(receiver.requests).toHaveLength(1);
    expect(await webhookNow(one, webhook)).toMatchObject({ isActive: true, lastError: null });
  });

  test('send nothing to a webhook disabled during a message, and resend that message later', async () => {
    const { receiver, webhook } = await givenBoth(one);
    const other = await givenBoth(one);
    const letGo = hold(receiver);
    const numbers = await givenChanges(one, 1);
    await expect.poll(() => receiver.requests.length).toBe(1);
    await patch(two, webhook, { isActive: false });
    letGo(204);
    const then = await givenChanges(one, 1);
    await expect.poll(() => sequencesOf(other.receiver.requests)).toEqual([...numbers, ...then]);
    expect(receiver.requests).toHaveLength(1);
    await patch(one, webhook, { isActive: true });
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([...numbers, ...numbers, ...then]);
  });

  test('omit event types that are no longer subscribed to from a retry', async () => {
    const { receiver, webhook } = await givenBoth(one);
    receiver.behaviour = 500;
    await givenChanges(one, 2);
    await expect.poll(() => receiver.requests.length).toBeGreaterThanOrEqual(1);
    await patch(one, webhook, { eventTypes: ['user.created'] });
    receiver.behaviour = 204;
    const { serial } = await one.givenUser();
    await expect.poll(() => receiver.requests.at(-1)?.json.data.userSerial).toBe(serial);
    expect(eventsOf(receiver.requests.at(-1) ?? { json: {} })).toHaveLength(1);
  });

  test.each<[string, ReceiverAnswer]>([
    ['accepted', 204],
    ['rejected', 500],
    ['interrupted', 'drop'],
  ])('forget a webhook deleted during a message that is then %s', async (_, answer) => {
    const { receiver, webhook } = await givenBoth(one);
    const other = await givenBoth(one);
    const logged = one.logs.length + two.logs.length;
    const letGo = hold(receiver);
    await givenChanges(one, 1);
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect((await two.request('DELETE', webhook.path)).status).toBe(200);
    letGo(answer);
    const [last] = await givenChanges(one, 1);
    await expect.poll(() => sequencesOf(other.receiver.requests).at(-1)).toBe(last);
    expect(receiver.requests).toHaveLength(1);
    expect((one.logs + two.logs).slice(logged)).not.toMatch(/"level":(?:50|60)/);
  });

  test('start over at once where a replay says, even during a message', async () => {
    const { receiver, webhook } = await givenBoth(one, { batchMax: 1 });
    const numbers = await givenChanges(one, 3);
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual(numbers);
    const letGo = hold(receiver);
    const [next] = await givenChanges(one, 1);
    await expect.poll(() => receiver.requests.length).toBe(4);
    await two.post(`${webhook.path}/replay`, { fromSequence: numbers[1] });
    receiver.behaviour = 204;
    letGo(204);
    await expect.poll(() => sequencesOf(receiver.requests.slice(4))).toEqual([numbers[1], numbers[2], next]);
  });

  test('continue after the database terminates all connections during a delivery', async () => {
    const { receiver, webhook } = await givenBoth(one);
    const letGo = hold(receiver);
    const numbers = await givenChanges(one, 2);
    await expect.poll(() => receiver.requests.length).toBe(1);
    await one.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    letGo(204);
    receiver.behaviour = 204;
    await expect.poll(async () => (await webhookNow(one, webhook)).deliveredUpTo).toBe(numbers[1]);
    const then = await givenChanges(one, 2);
    await expect.poll(() => sequencesOf(receiver.requests).slice(-2)).toEqual(then);
    expect([...new Set(sequencesOf(receiver.requests))]).toEqual([...numbers, ...then]);
  });
});

describe.concurrent('a node that serves few webhooks at once', () => {
  test('serves each in turn, however far behind the others are', async ({
    expect,
    onTestFinished: after,
  }) => {
    const node = await startNode(await createDatabase(), { ROLLCALL_WEBHOOKS_AT_ONCE: '1' }, after);
    const settings = { batchMax: 1 };
    const both = [await givenBoth(node, settings, after), await givenBoth(node, settings, after)];
    // How many messages one receiver has when the other gets its first.
    const untilFirst = both.map(
      ({ receiver }, index) =>
        new Promise<number>((resolve) => {
          receiver.behaviour = () => {
            if (receiver.requests.length === 1) resolve(both[1 - index]?.receiver.requests.length ?? 0);
            return 204;
          };
        }),
    );
    await givenChanges(node, 60);
    expect(Math.max(...(await Promise.all(untilFirst)))).toBeLessThan(60);
    for (const { receiver } of both) await expect.poll(() => receiver.requests.length).toBe(60);
  });

  test('serves a working webhook between attempts at a hanging one, and resends what was not answered', async ({
    expect,
    onTestFinished: after,
  }) => {
    const few = { ...impatient, ROLLCALL_WEBHOOKS_AT_ONCE: '1' };
    const node = await startNode(await createDatabase(), few, after);
    const [bad, good] = [await givenBoth(node, {}, after), await givenBoth(node, {}, after)];
    bad.receiver.behaviour = 'hang';
    const told = await givenChanges(node, 2);
    await expect.poll(() => [...new Set(sequencesOf(good.receiver.requests))]).toEqual(told);
    await expect.poll(async () => (await webhookNow(node, bad.webhook)).attempts).toBeGreaterThanOrEqual(1);
    expect((await webhookNow(node, bad.webhook)).lastError).toBe('The receiver did not respond in time.');
    const then = await givenChanges(node, 1);
    await expect.poll(() => [...new Set(sequencesOf(good.receiver.requests))]).toEqual([...told, ...then]);

    // It continues from there: first the same message, then the rest.
    bad.receiver.behaviour = 204;
    await expect.poll(() => sequencesOf(bad.receiver.requests).at(-1)).toBe(then[0]);
    expect([...new Set(idsOf(bad.receiver))]).toEqual([`evt_${told[0]}-${told[1]}`, `evt_${then[0]}`]);
    expect([...new Set(sequencesOf(bad.receiver.requests))]).toEqual([...told, ...then]);
  });
});

describe.concurrent('several nodes', () => {
  test('never deliver concurrently, even if the database delays one beyond its claim', async ({
    expect,
    onTestFinished: after,
  }) => {
    const databaseUrl = await createDatabase();
    const [node] = await Promise.all([
      startNode(databaseUrl, impatient, after),
      startNode(databaseUrl, impatient, after),
    ]);
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    after(() => holder.end());
    await holder.query(`
      CREATE FUNCTION halfway() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$`);
    await holder.query(`CREATE TRIGGER halfway BEFORE UPDATE ON webhooks FOR EACH ROW
      WHEN (OLD.sending_to IS NULL AND NEW.sending_to IS NOT NULL) EXECUTE FUNCTION halfway()`);
    await holder.query('SELECT pg_advisory_lock(4711)');
    const { receiver } = await givenBoth(node, {}, after);
    const atOnce = countingAtOnce(receiver, 100); // much less than the timeout of a node
    const numbers = await givenChanges(node, 2);
    const isStuck = async () => {
      const { rowCount } = await holder.query(
        `SELECT FROM webhooks, pg_locks JOIN pg_stat_activity USING (pid)
         WHERE datname = current_database() AND locktype = 'advisory' AND objid = 4711 AND NOT granted
           AND claimed_until < clock_timestamp()`,
      );
      return rowCount;
    };
    await expect.poll(isStuck).toBe(1);
    await holder.query('SELECT pg_advisory_unlock(4711)');
    const then = await givenChanges(node, 1);
    await expect.poll(() => sequencesOf(receiver.requests).at(-1)).toBe(then[0]);
    expect([...new Set(sequencesOf(receiver.requests))]).toEqual([...numbers, ...then]);
    expect(atOnce.most).toBe(1);
  });

  test('skip a webhook whose secret they cannot decrypt, without a failed attempt, until it is rotated', async ({
    expect,
    onTestFinished: after,
  }) => {
    const databaseUrl = await createDatabase();
    const ownKey = { ROLLCALL_SECRET_KEY: undefined }; // each generates one in its data directory
    const [node, stranger] = await Promise.all([
      startNode(databaseUrl, ownKey, after),
      startNode(databaseUrl, { ...sendsNoWebhooks, ...ownKey }, after),
    ]);
    const [own, foreign] = [await givenBoth(node, {}, after), await givenBoth(stranger, {}, after)];
    const numbers = await givenChanges(node, 2);
    await expect.poll(() => sequencesOf(own.receiver.requests)).toEqual(numbers);
    const again = await givenChanges(node, 1);
    await expect.poll(() => sequencesOf(own.receiver.requests)).toEqual([...numbers, ...again]);
    expect(foreign.receiver.requests).toEqual([]);
    expect(await webhookNow(node, foreign.webhook)).toMatchObject({
      isActive: true,
      attempts: 0,
      lastError: null,
      deliveredUpTo: foreign.webhook.data.deliveredUpTo,
    });
    await node.post(`${foreign.webhook.path}/rotate`, { overlapSeconds: 0 });
    await expect.poll(() => sequencesOf(foreign.receiver.requests)).toEqual([...numbers, ...again]);
  });
});

/** The node resends the same message, then sends what happened since. */
async function expectResumed(
  { receiver, webhook }: { receiver: WebhookReceiver; webhook: GivenWebhook },
  numbers: readonly number[],
  before: number,
  node: TestService,
): Promise<void> {
  const then = await givenChanges(node, 2);
  await expect.poll(() => receiver.requests.length).toBe(before + 3);
  const message = `evt_${numbers[0]}-${numbers.at(-1)}`;
  expect(idsOf(receiver).slice(before)).toEqual([message, message, `evt_${then[0]}-${then[1]}`]);
  expect(sequencesOf(receiver.requests.slice(before))).toEqual([...numbers, ...numbers, ...then]);
  await expect
    .poll(() => webhookNow(node, webhook))
    .toMatchObject({ deliveredUpTo: then[1], attempts: 0, isActive: true });
}

test('after a node is killed or stopped during a delivery, another resumes with the same message', async () => {
  const databaseUrl = await createDatabase();
  const quiet = await startNode(databaseUrl, sendsNoWebhooks);
  const both = await givenBoth(quiet);
  const { receiver } = both;
  // Longer than a test may take: a node that waits for the receiver would never stop.
  const patient = { ROLLCALL_WEBHOOK_TIMEOUT_MS: '3600000', ROLLCALL_SHUTDOWN_TIMEOUT_MS: '3600000' };
  receiver.behaviour = 'hang';
  const first = await givenChanges(quiet, 3);
  const killed = await spawned({
    ...{ ...shared, ...patient, DATABASE_URL: databaseUrl },
    ROLLCALL_DATA_DIR: temporaryDirectory(),
  });
  await expect.poll(() => receiver.requests.length, { interval: 5 }).toBe(1);
  await killed.kill('SIGKILL');
  receiver.behaviour = 204;
  const stopping = await TestService.start({ ...shared, ...patient, DATABASE_URL: databaseUrl });
  expect(receiver.requests, 'it is still claimed').toHaveLength(1);
  await quiet.database.pool.query('UPDATE webhooks SET claimed_until = now()');
  await expectResumed(both, first, 0, stopping);

  receiver.behaviour = 'hang';
  const second = await givenChanges(quiet, 3);
  await expect.poll(() => receiver.requests.length).toBe(4);
  await stopping.stop();
  receiver.behaviour = 204;
  await expectResumed(both, second, 3, await startNode(databaseUrl));
});
