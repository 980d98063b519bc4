import { expect, test } from 'vitest';
import { rebuildIndex } from '../../../src/storage/indexing/index-state.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { newId, useOwnService } from '../../support/service.js';

const service = useOwnService();

test('while the index is rebuilt, searches and directories say that they are incomplete, lists are complete, and the log says so', async () => {
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
    const { data: found } = (await service.get('/service/users?search=ada&total=exact')).json;
    expect(found).toMatchObject({ isComplete: false, total: { isExact: false } });
    const { data: entry } = (await service.get(`/service/organizations/${organizationSerial}`)).json;
    expect(entry.users.isExact).toBe(false);
    const { data: listed } = (await service.get('/service/organizations?limit=1')).json;
    expect(listed.items).toMatchObject([{ users: { isExact: false } }]);
    for (const sort of ['createdAt', 'name']) {
      const list = await service.get(`/service/users?organizationSerial=${organizationSerial}&sort=${sort}`);
      expect(list.json.data).toMatchObject({ isComplete: true, items: [{ organizationSerial }] });
    }
    // Whoever changes everyone who matches has to know all of them.
    const update = { filter: { search: 'ada' }, patch: { isActive: false } };
    const reply = await service.post('/service/users/update-matching?confirm=1', update);
    const detail = /contains \d+ of \d+ users\. Users cannot be selected by a search until/;
    expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', detail);
    expect(reply.headers.get('retry-after')).toBe('1');
  } finally {
    service.context.bulkCalls.running--;
  }
  await expect.poll(() => completed().length).toBeGreaterThan(before);
  const users = expect.any(Number);
  expect(linesWith('building the index of lists and searches').at(-1)).toMatchObject({ users });
  expect(completed().at(-1)).toMatchObject({ users, seconds: expect.any(Number) });
  const { data } = (await service.get('/service/users?search=ada')).json;
  expect(data).toMatchObject({ isComplete: true, items: [{ name: 'Ada' }] });
});
