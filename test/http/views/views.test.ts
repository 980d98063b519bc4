import { expect, test } from 'vitest';
import { erased } from '../../support/erasure.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService();

type Session = Awaited<ReturnType<typeof givenSignedInUser>>;
const query = 'isActive=false&columns=name%2Cemail';

const save = ({ token }: Session, name: string, more: object = {}) =>
  service.post('/service/views', { name, query, ...more }, { token });
const change = ({ token }: Session, id: string, body: object) =>
  service.request('PATCH', `/service/views/${id}`, { body, token });
const remove = ({ token }: Session, id: string) =>
  service.request('DELETE', `/service/views/${id}`, { token });
async function listed({ token }: Session, ids: readonly string[]) {
  const { items } = (await service.get('/service/views', { token })).json.data;
  return items.filter(({ id }: { id: string }) => ids.includes(id));
}

test('own views are seen by their user alone, and shared ones by everybody', async () => {
  const [author, other] = [
    await givenSignedInUser(service, 'viewer'),
    await givenSignedInUser(service, 'viewer'),
  ];
  const created = await save(author, '  Leavers ');
  expect(created.status, created.text).toBe(201);
  const { id } = created.json.data;
  expect(created.headers.get('location')).toBe(`/service/views/${id}`);
  expect(created.json.data).toMatchObject({
    ...{ name: 'Leavers', query, isShared: false },
    author: { serial: author.serial },
  });
  expect(await listed(author, [id])).toEqual([created.json.data]);
  expect(await listed(other, [id])).toEqual([]);
  expectFailure(
    await change(other, id, { isShared: true }),
    404,
    10270,
    'VIEW_NOT_FOUND',
    /no view with this ID/,
  );

  const name = newId('Leavers');
  const shared = await change(author, id, { name, isShared: true });
  expect(shared.json.data).toMatchObject({ name, query, isShared: true });
  expect(await listed(other, [id])).toEqual([shared.json.data]);
});

test('a shared view is changed by its author and administrators, and given back to its author', async () => {
  const [author, other, administrator] = [
    await givenSignedInUser(service, 'operator'),
    await givenSignedInUser(service, 'operator'),
    await givenSignedInUser(service, 'administrator'),
  ];
  const { id } = (await save(author, newId('View'), { isShared: true })).json.data;
  for (const refused of [await change(other, id, { name: 'Mine' }), await remove(other, id)])
    expectFailure(refused, 403, 10271, 'VIEW_OF_SOMEBODY_ELSE', /Somebody else has shared this view/);
  const renamed = await change(administrator, id, { name: newId('Renamed') });
  expect(renamed.json.data.author.serial).toBe(author.serial);
  expect((await change(administrator, id, { isShared: false })).status).toBe(200);
  expect(await listed(administrator, [id])).toEqual([]);
  expect(await listed(author, [id])).toMatchObject([{ isShared: false }]);
  expect((await remove(author, id)).json.data).toEqual({ id });
  expect(await listed(author, [id])).toEqual([]);
});

test('names differ among own views and among shared ones, whatever their case', async () => {
  const [one, other] = [
    await givenSignedInUser(service, 'viewer'),
    await givenSignedInUser(service, 'viewer'),
  ];
  const name = newId('Berlin');
  const { id } = (await save(one, name)).json.data;
  expectFailure(await save(one, name.toUpperCase()), 409, 10272, 'VIEW_NAME_TAKEN', /already called/);
  expect((await save(other, name, { isShared: true })).status).toBe(201);
  expectFailure(
    await change(one, id, { isShared: true }),
    409,
    10272,
    'VIEW_NAME_TAKEN',
    /One of shared views/,
  );
  expect((await change(one, id, { query: 'search=ada' })).json.data).toMatchObject({
    name,
    query: 'search=ada',
  });
});

test('an erasure keeps shared views without their author, and deletes own ones and those about the user', async () => {
  const [author, other] = [
    await givenSignedInUser(service, 'administrator'),
    await givenSignedInUser(service, 'viewer'),
  ];
  const leaver = await givenSignedInUser(service, 'viewer', { name: 'Wendelin Abschied' });
  const idOf = async (session: Session, more: object) =>
    (await save(session, newId('View'), more)).json.data.id as string;
  const own = await idOf(leaver, {});
  const shared = await idOf(leaver, { isShared: true });
  const about = [
    await idOf(other, { query: `manager=${leaver.employeeID}` }),
    await idOf(other, { query: 'search=wendelin+abschied&columns=name' }),
    await idOf(other, { query: `search=${leaver.username}+berlin`, isShared: true }),
  ];
  const unrelated = await idOf(other, { query: 'search=berlin' });
  await erased(service, leaver.serial);
  const left = await listed(other, [own, shared, ...about, unrelated]);
  expect(left.map(({ id }: { id: string }) => id).sort()).toEqual([shared, unrelated].sort());
  expect(left.find(({ id }: { id: string }) => id === shared)).toMatchObject({ author: null });
  expect((await remove(author, shared)).status).toBe(200);
});
