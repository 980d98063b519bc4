import { expect, test } from 'vitest';
import { rebuildIndex } from '../../../src/storage/indexing/index-state.js';
import { expectFailure } from '../../support/expect-failure.js';
import { untilIndexed } from '../../support/index-checks.js';
import { newId, useOwnService } from '../../support/service.js';

const service = useOwnService();

test('while the index is rebuilt, searches and directories fail with the progress, and lists work', async () => {
  const organizationSerial = newId('ORG');
  await service.givenUser({ name: 'Ada', organizationSerial });
  const { pool } = service.database;
  await untilIndexed(pool);
  service.context.bulkCalls.running++; // keeps the indexer from running in the background
  try {
    await rebuildIndex(pool);
    for (const path of ['users?search=ada', 'organizations', `organizations/${organizationSerial}`]) {
      const reply = await service.get(`/service/${path}`);
      const detail = /contains \d+ of \d+ users\. Searches and directories are unavailable until/;
      expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', detail);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    const list = await service.get(`/service/users?organizationSerial=${organizationSerial}`);
    expect(list.json.data.items).toHaveLength(1);
  } finally {
    service.context.bulkCalls.running--;
  }
  await untilIndexed(pool);
  expect((await service.get('/service/users?search=ada')).json.data.items).toHaveLength(1);
});

test('a rebuild is logged when it starts and when it ends, with the number of users', async () => {
  await service.givenUser();
  const { pool } = service.database;
  await untilIndexed(pool);
  const linesWith = (text: string) =>
    service.logs
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line));
  const before = linesWith('index of lists and searches is complete').length;
  await rebuildIndex(pool);
  await expect
    .poll(() => linesWith('index of lists and searches is complete').length)
    .toBeGreaterThan(before);
  expect(linesWith('building the index of lists and searches').at(-1)).toMatchObject({
    users: expect.any(Number),
  });
  expect(linesWith('index of lists and searches is complete').at(-1)).toMatchObject({
    users: expect.any(Number),
    seconds: expect.any(Number),
  });
});
