import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { createDatabase } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

test('workers that cannot be replaced end the service with their exit code, after five attempts', async () => {
  const keyFile = join(temporaryDirectory(), 'key');
  writeFileSync(keyFile, randomBytes(32).toString('base64'));
  const service = await spawned({
    ROLLCALL_DATA_DIR: temporaryDirectory(),
    ROLLCALL_WORKERS: '2',
    DATABASE_URL: await createDatabase(),
    ROLLCALL_SECRET_KEY_FILE: keyFile,
  });
  const allEnded = new Promise<void>((resolve) => service.child.once('close', () => resolve()));
  await expect.poll(() => service.output).toContain('All 2 workers are ready.');
  const first = Number(/"pid":(\d+),"msg":"Ready\./.exec(service.output)?.[1]);
  writeFileSync(keyFile, 'no key');
  process.kill(first, 'SIGKILL');
  expect(await service.exited).toBe(exitCodes.wrongUse);
  await allEnded;
  expect(service.output.split('ROLLCALL_SECRET_KEY must be 32 bytes in Base64')).toHaveLength(1 + 5);
  expect(service.output).toContain('5 workers in a row exited before they were ready. Stopping.');
});
