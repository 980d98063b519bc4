import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { type Started, startRollcall } from '../../support/command-process.js';
import { embeddedDirectory } from '../../support/embedded-directory.js';
import { createDatabase, credentialsIn, issueToken } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const isPostgres = inject('engine') === 'postgres';

async function untilTold({ text, ended }: Started, words: RegExp): Promise<string> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await expect.poll(() => isOver || words.test(text.stdout)).toBe(true);
  const [, found = ''] = words.exec(text.stdout) ?? [];
  expect(isOver, text.stdout + text.stderr).toBe(false);
  return found;
}

async function createTwo(url: string, token: string): Promise<number> {
  const items = ['a', 'b'].map((employeeID) => ({ employeeID, name: employeeID }));
  const { status } = await fetch(`${url}/service/users/create-bulk?dryRun=true`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ items }),
  });
  return status;
}

describe('rollcall serve', () => {
  const tags = isPostgres ? [] : 'release';
  test('takes settings from flags, which override the environment, also in workers', { tags }, async () => {
    const dataDir = isPostgres ? temporaryDirectory() : await embeddedDirectory();
    const urlFile = join(temporaryDirectory(), 'url');
    if (isPostgres) writeFileSync(urlFile, await createDatabase());
    const where = isPostgres ? ['--database-url-file', urlFile, '--workers', '2'] : [];
    const started = startRollcall(
      ['serve', '--host', '127.0.0.1', '--port=0', '--data-dir', dataDir, '--bulk-items-max', '1', ...where],
      {
        PORT: '1',
        ROLLCALL_DATA_DIR: join(temporaryDirectory(), 'not-this-one'),
        ROLLCALL_BULK_ITEMS_MAX: '100',
        ...(isPostgres ? { DATABASE_URL: 'postgres://nowhere.invalid/x' } : {}),
      },
    );
    const url = await untilTold(started, /listens on (http:[^\s,]+)/);
    await untilTold(started, isPostgres ? /All 2 workers are ready/ : /Ready\./);
    const token = await issueToken(url, credentialsIn(dataDir));
    const statuses = await Promise.all(Array.from({ length: 4 }, () => createTwo(url, token)));
    expect(statuses, 'a call of two is above the limit, whoever answers it').toEqual([413, 413, 413, 413]);
    started.child.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
  });
});
