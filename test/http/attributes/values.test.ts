import { describe, expect, test } from 'vitest';
import { transaction } from '../../../src/storage/database.js';
import { callIdOf, failuresOf, successesOf, undo } from '../../support/calls.js';
import { givenClient } from '../../support/clients.js';
import { confirmed } from '../../support/directories.js';
import { callsAs } from '../../support/protected-users.js';
import { aUser, issueToken, newId, useService } from '../../support/service.js';

const service = useService();

const expectError = (reply: { json: { message: string } }, name: string) =>
  expect(reply.json.message).toBe(name);

const create = (user: unknown) => service.post('/service/users', user);

type Settings = Record<string, unknown>;

/** Defines an attribute under a key of its own. */
async function givenAttribute(settings: Settings = {}): Promise<string> {
  const key = newId('a').replace(/[^A-Za-z0-9]/g, '');
  const reply = await service.post('/service/attributes', { key, type: 'text', ...settings });
  expect(reply.status, JSON.stringify(reply.json)).toBe(201);
  return key;
}

const item = ({ employeeID }: { employeeID: string }, attributes: unknown) => ({
  ...{ employeeID, name: 'Ada', isActive: true, attributes },
});

const attributesOf = async (serial: string) => (await service.readUser(serial)).attributes;

describe('values', () => {
  test('of every type come back exactly, absent ones are kept, empty ones are cleared', async () => {
    const text = await givenAttribute();
    const number = await givenAttribute({ type: 'number' });
    const date = await givenAttribute({ type: 'date' });
    const flag = await givenAttribute({ type: 'boolean' });
    const site = await givenAttribute({ type: 'choice', choices: ['Berlin', 'Lyon'] });
    const list = await givenAttribute({ type: 'list' });
    const attributes = {
      ...{ [text]: 'Sales "EMEA" \\ é', [number]: 12.5, [date]: '2024-02-29', [flag]: false },
      ...{ [site]: 'Lyon', [list]: ['a', 'b'] },
    };
    const { serial, employeeID } = await service.givenUser({ attributes });
    expect(await attributesOf(serial)).toEqual(attributes);

    const reply = await service.updateBulk([
      item({ employeeID }, { [text]: '', [number]: null, [list]: [], [flag]: true }),
    ]);
    expect(successesOf(reply)).toHaveLength(1);
    const after = { [number]: 12.5, [date]: '2024-02-29', [flag]: true, [site]: 'Lyon' };
    expect(await attributesOf(serial)).toEqual(after);
    await undo(service, callIdOf(reply));
    expect(await attributesOf(serial)).toEqual(attributes);
  });

  test('are checked by their definition, and unknown keys get a hint', async () => {
    const badge = await givenAttribute({ pattern: '[A-Z]{2}-[0-9]{3}' });
    const { employeeID } = await service.givenUser({});
    const send = (attributes: unknown) => service.updateBulk([item({ employeeID }, attributes)]);
    const detailOf = async (attributes: unknown) => failuresOf(await send(attributes))[0]?.error;
    expect(await detailOf({ [badge]: 'nope' })).toMatchObject({ errorCode: 10107 });
    expect(await detailOf({ [badge.toUpperCase()]: 'AB-123' })).toMatchObject({
      errorCode: 10108,
      detail: expect.stringContaining(`Did you mean "${badge}"?`),
    });
    expect(await detailOf([])).toMatchObject({ errorCode: 10107 });
    expect(await detailOf(JSON.parse('{"__proto__": 1}'))).toMatchObject({ errorCode: 10108 });
    expect(successesOf(await send({ [badge]: 'AB-123' }))).toHaveLength(1);
  });
});

test('all attributes of a user together are as large as one object may be', async () => {
  const [one, other] = [await givenAttribute({ type: 'list' }), await givenAttribute({ type: 'list' })];
  const texts = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(250, 'é'));
  const { serial } = await service.givenUser({ attributes: { [one]: texts } });
  const body = { attributes: { [other]: texts } };
  const { json } = await service.request('PATCH', `/service/users/${serial}`, { body });
  expect(json.detail).toBe('"attributes" must have at most 200 keys and 64 KB.');
});

test('keys that occur twice are refused in definitions and patches, because the last one would win', async () => {
  const key = await givenAttribute();
  const send = (path: string, rawBody: string) => service.post(path, undefined, { rawBody });
  const labels = await send(
    '/service/attributes',
    '{"key":"twice","type":"text","labels":{"en":"A","en":"B"}}',
  );
  expect(labels.json.detail).toBe('"labels" contains a language twice. Send it once.');
  const patch = `{"filter":{"isActive":true},"patch":{"attributes":{"${key}":"a","${key}":"b"}}}`;
  const matching = await send('/service/users/update-matching?dryRun=true', patch);
  expect(matching.json.detail).toBe('"attributes" contains a key twice. Send it once.');
});

describe('unknown fields', () => {
  const sent = { shoeSize: 42, hat: null, attributes: { nobody: 'x' } };

  test('are ignored and named if the call asks for it', async () => {
    const key = await givenAttribute();
    const user = await service.givenUser({});
    const items = [{ ...item(user, { [key]: 'Sales', nobody: 'x' }), shoeSize: 42, colour: 'red' }];
    expect(failuresOf(await service.updateBulk(items))).toHaveLength(1);
    const reply = await service.updateBulk(items, '?unknownFields=ignore&details=true');
    expect(successesOf(reply)[0]).toMatchObject({ ignored: ['shoeSize', 'colour', 'attributes.nobody'] });
    expect(await attributesOf(user.serial)).toEqual({ [key]: 'Sales' });
  });

  test('but not those of other operations, and retired attributes', async () => {
    const key = await givenAttribute();
    await service.request('PATCH', `/service/attributes/${key}`, { body: { isRetired: true } });
    const user = await service.givenUser({});
    for (const stray of [{ password: 'x' }, { attributes: { [key]: 'Sales' } }]) {
      const reply = await service.updateBulk([{ ...item(user, {}), ...stray }], '?unknownFields=ignore');
      expect(failuresOf(reply)[0]?.error).toMatchObject({ message: 'USER_FIELD_NOT_ACCEPTED' });
    }
  });

  test('are ignored for a client that is set up so', async () => {
    const client = await givenClient(service, ['users:write']);
    const change = { body: { ignoresUnknownFields: true } };
    const { json } = await service.request('PATCH', `/service/clients/${client.clientId}`, change);
    expect(json.data).toMatchObject({ ignoresUnknownFields: true });
    const caller = callsAs(service, await issueToken(service.url, client));
    const items = [{ ...item(await service.givenUser({}), {}), ...sent }];
    expect(successesOf(await caller.bulk(items))).toHaveLength(1);
    expect(failuresOf(await caller.bulk(items, '?unknownFields=reject'))).toHaveLength(1);
  });
});

describe('unique values', () => {
  test('are guarded in every kind of call', async () => {
    const badge = await givenAttribute({ isUnique: true });
    const ada = await service.givenUser({ attributes: { [badge]: 'A' } });
    const bob = await service.givenUser({ attributes: { [badge]: 'B' } });
    expectError(await create(aUser({ attributes: { [badge]: 'A' } })), 'USER_ATTRIBUTE_EXISTS');
    const patch = (serial: string, attributes: unknown) =>
      service.request('PATCH', `/service/users/${serial}`, { body: { attributes } });
    expectError(await patch(bob.serial, { [badge]: 'A' }), 'USER_ATTRIBUTE_EXISTS');

    const taken = await service.updateBulk([item(bob, { [badge]: 'A' }), item(bob, { [badge]: 'B' })]);
    expect(failuresOf(taken).map(({ error }) => error.message)).toEqual(['USER_ATTRIBUTE_EXISTS']);
    const chain = await service.updateBulk([
      item(ada, { [badge]: 'C' }),
      item(bob, { [badge]: 'A' }),
      item(ada, { [badge]: 'B' }),
    ]);
    expect(successesOf(chain)).toHaveLength(3);
    expect([await attributesOf(ada.serial), await attributesOf(bob.serial)]).toEqual([
      { [badge]: 'B' },
      { [badge]: 'A' },
    ]);
    const swap = await service.post('/service/users/update-bulk?mode=finalState', {
      items: [item(ada, { [badge]: 'A' }), item(bob, { [badge]: 'B' })],
    });
    expect(successesOf(swap)).toHaveLength(2);
    await undo(service, callIdOf(swap));
    expect(await attributesOf(ada.serial)).toEqual({ [badge]: 'B' });
    expectError(await create(aUser({ attributes: { [badge]: 'B' } })), 'USER_ATTRIBUTE_EXISTS');
  });

  test('have to be distinct when the attribute becomes unique', async () => {
    const key = await givenAttribute();
    const ada = await service.givenUser({ attributes: { [key]: 'X' } });
    await service.givenUser({ attributes: { [key]: 'X' } });
    const change = (settings: Settings) =>
      service.request('PATCH', `/service/attributes/${key}`, { body: settings });
    expectError(await change({ isUnique: true }), 'ATTRIBUTE_NOT_UNIQUE');
    const moved = await service.updateBulk([item(ada, { [key]: 'Y' })]);
    expect(successesOf(moved)).toHaveLength(1);
    expect((await change({ isUnique: true })).status).toBe(200);
    expectError(await create(aUser({ attributes: { [key]: 'Y' } })), 'USER_ATTRIBUTE_EXISTS');
    await change({ isUnique: false });
    expect((await create(aUser({ attributes: { [key]: 'Y' } }))).status).toBe(201);
  });
});

test('a deleted attribute takes its values along, and an undo brings both back', async () => {
  const key = await givenAttribute({ isUnique: true });
  const { serial } = await service.givenUser({ attributes: { [key]: 'A' } });
  const path = `/service/attributes/${key}`;
  const preview = await service.request('DELETE', `${path}?dryRun=true`);
  expect(preview.json.data).toEqual({ key, users: 1 });
  expectError(await service.request('DELETE', path), 'ATTRIBUTE_IN_USE');
  const { json } = await service.request('DELETE', `${path}?confirm=1`);
  expectError(await service.get(path), 'ATTRIBUTE_NOT_FOUND');
  expect(await attributesOf(serial)).toEqual({});
  await undo(service, json.data.callId);
  expect(await attributesOf(serial)).toEqual({ [key]: 'A' });
  expectError(await create(aUser({ attributes: { [key]: 'A' } })), 'USER_ATTRIBUTE_EXISTS');
});

test('attributes are not cleared as a whole, and may be null only if null keeps a field', async () => {
  const key = await givenAttribute();
  const user = await service.givenUser({ attributes: { [key]: 'A' } });
  const { serial, employeeID } = user;
  const nothing = { attributes: null };
  const expectInvalid = (error: unknown) =>
    expect(error).toMatchObject({
      message: 'USER_FIELD_INVALID',
      detail: expect.stringContaining('"attributes" must be an object'),
    });
  const patched = await service.request('PATCH', `/service/users/${serial}`, { body: nothing });
  expectInvalid(patched.json);
  for (const path of ['update-bulk', 'upsert-bulk', 'upsert-bulk?mode=finalState']) {
    const send = (query: string) =>
      service.post(`/service/users/${path}${path.includes('?') ? '&' : '?'}${query}`, {
        items: [{ employeeID, name: 'Ada', isActive: true, ...nothing }],
      });
    expect(successesOf(await send(''))).toHaveLength(1);
    expectInvalid(failuresOf(await send('nulls=clear'))[0]?.error);
  }
  expect(await attributesOf(serial)).toEqual({ [key]: 'A' });
  const repeated = `{"items":[{"employeeID":"${employeeID}","name":"Ada","isActive":true,"attributes":{"a":1,"b":2},"attributes":null}]}`;
  const reply = await service.request('POST', '/service/users/update-bulk', { rawBody: repeated });
  expect(failuresOf(reply)).toHaveLength(1);
});

test('an attribute is not deleted from under a value that is being stored', async () => {
  const key = await givenAttribute();
  const { serial } = await service.givenUser();
  const { database } = service;
  const { rows } = await database.pool.query('SELECT id FROM attributes WHERE key = $1', [key]);
  const waiting = async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rowCount;
  };
  const deletion = await transaction(database, async (tx) => {
    await tx.query('SELECT FROM attributes WHERE id = $1 FOR SHARE', [rows[0].id]);
    await tx.query(`UPDATE users SET attributes = jsonb_build_object($1::text, 'A') WHERE serial = $2`, [
      String(rows[0].id),
      serial,
    ]);
    const deleting = service.request('DELETE', `/service/attributes/${key}`);
    await expect.poll(waiting).toBeGreaterThan(0);
    return { deleting };
  });
  const reply = await deletion.deleting;
  expect(reply.json).toMatchObject({ message: 'ATTRIBUTE_IN_USE', data: { count: 1 } });
  expect(await attributesOf(serial)).toEqual({ [key]: 'A' });
});

describe('update-matching', () => {
  test('sets and clears values', async () => {
    const key = await givenAttribute();
    const organizationSerial = newId('ORG');
    const { serial } = await service.givenUser({ organizationSerial });
    const run = (attributes: unknown) =>
      confirmed(service, '/service/users/update-matching', {
        filter: { organizationSerial },
        patch: { attributes },
      });
    await run({ [key]: 'Sales' });
    expect(await attributesOf(serial)).toEqual({ [key]: 'Sales' });
    await run({ [key]: null });
    expect(await attributesOf(serial)).toEqual({});
  });
});
