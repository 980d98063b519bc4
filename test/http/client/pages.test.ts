import { expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';
import { clientOf, errorOf, failing, useFront } from './front.js';

const service = useService();
const front = useFront(service);

/** Five users of a new organization. */
async function fivePeople() {
  const organizationSerial = newId('ORG');
  const names = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'];
  await service.createBulk(
    names.map((name) => ({
      employeeID: newId(),
      name,
      email: 'a@example.com',
      isActive: true,
      organizationSerial,
    })),
  );
  return { names, query: { organizationSerial, sort: 'name' as const } };
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

test('each iterates over the whole list with the largest pages by default', async () => {
  const rollcall = clientOf(front, service);
  const { names, query } = await fivePeople();
  expect((await all(rollcall.each('listUsers', { query }))).map(({ name }) => name)).toEqual(names);
  expect(front.requests('/service/users').map(({ url }) => /limit=\d+/.exec(url)?.[0])).toEqual([
    'limit=200',
  ]);
  const inTwos = await all(rollcall.each('listUsers', { query: { ...query, limit: 2 } }));
  expect(inTwos.map(({ name }) => name)).toEqual(names);
  expect(front.requests('/service/users')).toHaveLength(1 + 3);
});

test('pages returns each page with its cursor, which another iteration can start from', async () => {
  const rollcall = clientOf(front, service);
  const { names, query } = await fivePeople();
  const pages = await all(rollcall.pages('listUsers', { query: { ...query, limit: 2 } }));
  expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  expect(pages.at(-1)?.nextCursor).toBe(null);
  const cursor = pages[0]?.nextCursor ?? undefined;
  const rest = await all(rollcall.each('listUsers', { query: { ...query, cursor } }));
  expect(rest.map(({ name }) => name)).toEqual(names.slice(2));
});

test('a list under a path also has pages, and an empty list has one', async () => {
  const rollcall = clientOf(front, service);
  const { serial } = await service.givenUser();
  const path = { serial };
  await rollcall.call('updateUser', { path, body: { name: 'Ada King' } });
  const history = await all(rollcall.each('userHistory', { path, query: { limit: 1 } }));
  expect(history.map(({ kind }) => kind)).toEqual(['updated', 'created']);
  const none = { query: { organizationSerial: newId('ORG') } };
  expect(await all(rollcall.pages('listUsers', none))).toEqual([{ items: [], nextCursor: null }]);
});

test('a page is read on demand: leaving early reads no more', async () => {
  const rollcall = clientOf(front, service);
  const { query } = await fivePeople();
  for await (const _ of rollcall.each('listUsers', { query: { ...query, limit: 2 } })) break;
  expect(front.requests('/service/users')).toHaveLength(1);
});

test('each page is a call that is retried, fails and is aborted independently', async () => {
  const rollcall = clientOf(front, service);
  const { query } = await fivePeople();
  const list = rollcall.pages('listUsers', { query: { ...query, limit: 2 } })[Symbol.asyncIterator]();
  await list.next();
  front.answer('/service/users', failing(503, 'SERVICE_UNAVAILABLE'));
  expect((await list.next()).value.items).toHaveLength(2);
  front.answer('/service/users', failing(403, 'ACCESS_SCOPE_MISSING'));
  expect(await errorOf(list.next())).toMatchObject({ name: 'ACCESS_SCOPE_MISSING' });

  const stop = new AbortController();
  const reason = new Error('enough');
  const seen: string[] = [];
  const walk = async () => {
    for await (const { name } of rollcall.each('listUsers', {
      query: { ...query, limit: 2 },
      signal: stop.signal,
    })) {
      seen.push(name);
      stop.abort(reason);
    }
  };
  expect(await errorOf(walk())).toBe(reason);
  expect(seen).toEqual(['Ada', 'Ben']);
});
