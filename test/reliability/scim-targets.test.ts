import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { givenTarget, targetNow } from '../support/scim-targets.js';
import { createDatabase, TestService, useOwnService } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { eagerEvents, sendsNoWebhooks } from '../support/webhooks.js';

/** The same on all nodes, as an operator would configure it. A claim on a target lasts for two seconds. */
const shared = {
  ...eagerEvents,
  ROLLCALL_WEBHOOK_TIMEOUT_MS: '1000',
  ROLLCALL_BOOTSTRAP_CLIENT_ID: 'tests',
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: randomBytes(32).toString('base64url'),
  ROLLCALL_SECRET_KEY: randomBytes(32).toString('base64'),
};

const pair = { ...shared, DATABASE_URL: await createDatabase() };
const [one, two] = [useOwnService(pair), useOwnService(pair)];

test('two nodes never push to one target at the same time, and lose and repeat no create', async () => {
  const { receiver, target, tag } = await givenTarget(one);
  let [now, most] = [0, 0];
  receiver.fault = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 2)); // long enough for another one to arrive meanwhile
    now--;
    return undefined;
  };
  const users = await Promise.all(
    Array.from({ length: 30 }, (_, index) => (index % 2 ? one : two).givenUser({ tagSerials: [tag] })),
  );
  await expect.poll(() => targetNow(one, target)).toMatchObject({ users: 30, queued: 0 });
  expect(most).toBeLessThanOrEqual(4);
  expect(receiver.store.users.size).toBe(30);
  for (const { serial } of users) {
    const creates = receiver.requests.filter(
      ({ method, json }) => method === 'POST' && json.externalId === serial,
    );
    expect(creates).toHaveLength(1);
  }
});

test('another node continues a sync after kill -9', { tags: 'release' }, async () => {
  const DATABASE_URL = await createDatabase();
  const quiet = await TestService.start({ ...shared, DATABASE_URL, ...sendsNoWebhooks });
  onTestFinished(() => quiet.stop());
  const { receiver, target, tag } = await givenTarget(quiet);
  const users = await Promise.all(Array.from({ length: 40 }, () => quiet.givenUser({ tagSerials: [tag] })));
  let creates = 0;
  // The node dies with requests that nobody has answered, one of which has taken effect.
  receiver.fault = ({ method, json }) => {
    if (method !== 'POST' || ++creates < 10) return undefined;
    if (creates === 10) receiver.store.users.set('unanswered', { ...json, id: 'unanswered' });
    return 'hang';
  };
  const killed = await spawned({ ...shared, DATABASE_URL, ROLLCALL_DATA_DIR: temporaryDirectory() });
  await expect.poll(() => creates).toBeGreaterThanOrEqual(10);
  await killed.kill('SIGKILL');
  receiver.fault = undefined;
  const next = await TestService.start({ ...shared, DATABASE_URL });
  onTestFinished(() => next.stop());
  await expect.poll(() => targetNow(next, target)).toMatchObject({ users: 40, queued: 0, isSyncing: false });
  expect(receiver.store.users.size, 'nobody was created twice').toBe(40);
  for (const { serial } of users) expect(receiver.user(serial)?.active).toBe(true);
});
