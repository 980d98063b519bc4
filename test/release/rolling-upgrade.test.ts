import { describe, expect, onTestFinished, test } from 'vitest';
import type * as config from '../../src/config.js';
import type * as main from '../../src/main.js';
import { apiJourney, type Tally, type Target } from '../support/api-journey.js';
import { firstClient } from '../support/nodes.js';
import { buildRelease, findPreviousRelease } from '../support/previous-release.js';
import { createEmptyDatabase, issueToken, silentLogger, TestService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const release = findPreviousRelease();
if ('missing' in release) {
  console.warn(
    `Rolling-upgrade tests skipped: the code of ${release.version} is unavailable, because ${release.missing}.`,
  );
}

const sharedSettings = {
  ROLLCALL_SIGN_IN_REQUESTS_PER_MINUTE_MAX: '0', // all come from one address
  ROLLCALL_WEBHOOK_TARGETS: 'any',
  ROLLCALL_WEBHOOKS_AT_ONCE: '0', // nobody receives them
  ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
};

interface OldNode extends Target {
  stop(): Promise<boolean>;
}

async function startOldNode(commit: string, databaseUrl: string): Promise<OldNode> {
  const load = buildRelease(commit);
  const { readConfig } = await load<typeof config>('config.js');
  const { startService } = await load<typeof main>('main.js');
  const settings = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    ROLLCALL_PUBLIC_URL: 'http://localhost:8080',
    ROLLCALL_DATA_DIR: temporaryDirectory(),
    ROLLCALL_DOCS: 'off', // its pages were not built
    ROLLCALL_DELIVERIES_AT_ONCE: '0',
    ...sharedSettings,
  });
  const running = await startService(settings, silentLogger);
  let stopped: Promise<boolean> | undefined;
  const stop = () => {
    stopped ??= running.stop();
    return stopped;
  };
  onTestFinished(async () => void (await stop()));
  await running.ready;
  return { url: running.url, token: await issueToken(running.url, firstClient), stop };
}

describe.skipIf('missing' in release)(`an upgrade from ${release.version}`, () => {
  test('fails no request: nodes of both versions serve one database before, during and after the migration', async () => {
    if ('missing' in release) return;
    const databaseUrl = await createEmptyDatabase();
    const old = await startOldNode(release.commit, databaseUrl);
    const tally: Tally = { sent: 0, failures: [] };
    await apiJourney(old, tally);
    expect(tally.failures.join('\n'), 'before the upgrade').toBe('');

    let isUpgraded = false;
    const load = Array.from({ length: 3 }, async () => {
      while (!isUpgraded) await apiJourney(old, tally);
    });
    const current = await TestService.start({ DATABASE_URL: databaseUrl, ...sharedSettings });
    onTestFinished(() => current.stop());
    // A release with a new index answers searches with 503 and Retry-After until it is built.
    await expect.poll(async () => (await current.get('/service/users?search=x')).status).toBe(200);
    for (let round = 0; round < 3; round++) await apiJourney(current, tally);
    isUpgraded = true;
    await Promise.all(load);
    await apiJourney(old, tally);
    expect(await old.stop(), 'stopped in time').toBe(true);
    await apiJourney(current, tally);
    expect(tally.failures.join('\n')).toBe('');
  });
});
