import { expect, inject, test } from 'vitest';
import { rollcall } from '../../support/command.js';
import { embeddedDirectory } from '../../support/embedded-directory.js';
import { untilIndexed } from '../../support/index-checks.js';
import { useService } from '../../support/service.js';
import { spawned } from '../../support/service-process.js';

const isPostgres = inject('engine') === 'postgres';
const service = useService();

test.runIf(isPostgres)('rollcall reindex has a running service rebuild the index', async () => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = new URL(service.database.description).pathname;
  const { code, stdout, stderr } = await rollcall(['reindex'], { DATABASE_URL: url.href });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^Requested\. The service rebuilds the index in the background\. Until/);
  await untilIndexed(service.database.pool);
});

test.runIf(!isPostgres)('rollcall reindex refuses while a service uses the embedded database', async () => {
  const { code, stderr } = await rollcall(['reindex'], { ROLLCALL_DATA_DIR: service.dataDir });
  expect(code).toBe(4);
  expect(stderr).toMatch(/is in use by .*\. Stop it first, and start it again afterwards\.\n$/);
  expect(stderr).not.toContain('ROLLCALL_DATA_DIR');
});

test.runIf(!isPostgres)(
  'rollcall reindex leaves the work to the next start, and doctor says so',
  async () => {
    const ROLLCALL_DATA_DIR = await embeddedDirectory();
    const stopped = await (await spawned({ ROLLCALL_DATA_DIR })).ready();
    await stopped.kill('SIGTERM');
    const { code, stdout, stderr } = await rollcall(['reindex'], { ROLLCALL_DATA_DIR });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Requested\. The index is rebuilt when the service starts\. Until/);
    const doctor = await rollcall(['doctor', '--json'], { ROLLCALL_DATA_DIR });
    expect(JSON.parse(doctor.stdout)).toContainEqual(
      expect.objectContaining({
        check: 'index',
        state: 'note',
        found: expect.stringContaining('being built'),
      }),
    );
  },
);
