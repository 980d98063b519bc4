import { expect, test } from 'vitest';
import { expectNothingLost, killUnderLoad } from '../support/crash-load.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { credentialsIn, issueToken } from '../support/service.js';
import { spawned } from '../support/service-process.js';

const crashes = 6;

test('an embedded database killed again and again, at different moments of a load, loses nothing', async () => {
  const dataDir = await embeddedDirectory();
  let service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
  for (let crash = 1; crash <= crashes; crash++) {
    const token = await issueToken(service.url, credentialsIn(dataDir));
    const load = { users: 200, rounds: 3 * crash, creates: 5 * crash };
    const acknowledged = await killUnderLoad(service, token, load);
    service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    await expectNothingLost(service, token, acknowledged);
  }
  expect(await service.kill('SIGTERM')).toBe(0);
});
