import { expect, test } from 'vitest';
import { rebuildIndex } from '../../../src/storage/indexing/index-state.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { newId, useOwnService } from '../../support/service.js';

const service = useOwnService();

test('while the index is rebuilt, searches and directories fail with the progress, lists work, and the log says so', async () => {
  const organizationSerial = newId('ORG');
  await service.givenUser({ name: 'Ada', organizationSerial });
  await indexNow(service);
  const linesWith = (text: string) =>
    service.logs
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line));
  const completed = () => linesWith('index of lists and searches is complete');
  const before = completed().length;
  service.context.bulkCalls.running++; // keeps the indexer from running in the background
  try {
    await rebuildIndex(service.database.pool);
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
  await expect.poll(() => completed().length).toBeGreaterThan(before);
  const users = expect.any(Number);
  expect(linesWith('building the index of lists and searches').at(-1)).toMatchObject({ users });
  expect(completed().at(-1)).toMatchObject({ users, seconds: expect.any(Number) });
  expect((await service.get('/service/users?search=ada')).json.data.items).toHaveLength(1);
});
