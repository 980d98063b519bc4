import { beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/scopes.js';
import { callIdOf, failuresOf, previewUndo, undo } from '../../support/calls.js';
import { givenClient } from '../../support/clients.js';
import { decide, eager, givenPlan, outcomesOf, untilState } from '../../support/planned-calls.js';
import { callsAs } from '../../support/protected-users.js';
import { anItem, aUser, issueToken, newId, useService } from '../../support/service.js';

const service = useService(eager);
const others = ['users:read', 'users:write', 'audit:read', 'access:admin'] satisfies Scope[];
const tokenWith = async (scopes: readonly Scope[]) =>
  issueToken(service.url, await givenClient(service, scopes));

/** Has every scope but the one for sensitive attributes. */
let token: string;
let operator: string;
beforeAll(async () => {
  [token, operator] = [await tokenWith(others), await tokenWith(['users:read', 'users:write'])];
});

async function givenSecret(settings: Record<string, unknown> = {}): Promise<string> {
  const key = newId('a').replace(/[^A-Za-z0-9]/g, '');
  const reply = await service.post('/service/attributes', {
    key,
    type: 'text',
    isSensitive: true,
    ...settings,
  });
  expect(reply.status, reply.text).toBe(201);
  return key;
}

const attributesOf = async (serial: string) => (await service.readUserWithPlans(serial)).attributes;
const errorOf = ({ json }: { json: { message: string; data?: unknown } }) => [json.message, json.data];
const missing = (scope: Scope) => ['ACCESS_SCOPE_MISSING', { scope }];

describe('without the scope, nobody', () => {
  test('reads or changes a sensitive value', async () => {
    const key = await givenSecret({ type: 'number' });
    const { serial, employeeID } = await service.givenUser({ attributes: { [key]: 70000 } });
    expect(await attributesOf(serial)).toEqual({ [key]: 70000 });
    const { json } = await service.get(`/service/users/${serial}`, { token });
    expect(json.data.attributes).toEqual({});
    const item = { employeeID, name: 'Ada', isActive: true, attributes: { [key]: 1 } };
    const sent = await callsAs(service, token).bulk([item]);
    expect(failuresOf(sent)[0]?.error).toMatchObject({ message: 'USER_FIELD_NOT_ACCEPTED' });
    const history = await service.get(`/service/users/${serial}/history`, { token });
    expect(history.text).not.toContain('70000');
  });

  test.each<[how: string, send: (user: Record<string, unknown>) => Promise<unknown>]>([
    ['a create', (user) => service.post('/service/users?rehire=true', user, { token })],
    [
      'create-bulk',
      (user) => service.post('/service/users/create-bulk?rehire=true', { items: [user] }, { token }),
    ],
    [
      'upsert-bulk',
      (user) => service.post('/service/users/upsert-bulk?rehire=true', { items: [user] }, { token }),
    ],
    [
      'the final state',
      (user) =>
        service.post('/service/users/upsert-bulk?rehire=true&mode=finalState', { items: [user] }, { token }),
    ],
  ])('removes it by rehiring the user with %s', async (_how, send) => {
    const [key, open] = [await givenSecret({ isUnique: true }), await givenSecret({ isSensitive: false })];
    const secret = newId();
    const user = await service.givenUser({ isActive: false, attributes: { [key]: secret, [open]: 'A' } });
    await send(aUser({ employeeID: user.employeeID, attributes: { [open]: 'B' } }));
    expect(await service.readUserWithPlans(user.serial)).toMatchObject({ isActive: true });
    expect(await attributesOf(user.serial)).toEqual({ [key]: secret, [open]: 'B' });
    const taken = await service.post('/service/users', aUser({ attributes: { [key]: secret } }));
    expect(taken.json.message).toBe('USER_ATTRIBUTE_EXISTS');
  });

  test('takes over or approves a planned change of one', async () => {
    const key = await givenSecret();
    const user = await service.givenUser();
    const plan = () =>
      givenPlan(service, [anItem(user, { attributes: { [key]: 'A' } })], 'approval=required');
    const approved = await decide(service, await plan(), 'approve', operator);
    expect(errorOf(approved)).toEqual(missing('attributes:sensitive'));
    const id = await plan();
    await decide(service, id, 'take-over', operator);
    const colleague = await tokenWith([...others, 'attributes:sensitive']);
    expect((await decide(service, id, 'approve', colleague)).status).toBe(200);
    await untilState(service, id, 'done');
    expect(await attributesOf(user.serial)).toEqual({});
    expect(JSON.stringify(await outcomesOf(service, id))).not.toContain(key);
  });

  test('learns from an undo or a conflict which attribute it is, or who shares a value', async () => {
    const key = await givenSecret({ isUnique: true });
    const user = await service.givenUser();
    const changed = await service.updateBulk([anItem(user, { attributes: { [key]: 'A' } })]);
    const preview = await service.post(`/service/calls/${callIdOf(changed)}/undo?dryRun=true`, undefined, {
      token,
    });
    expect(failuresOf(preview)).toHaveLength(1);
    expect(preview.text).not.toContain(key);
    const value = newId();
    const created = await service.createBulk([1, 2].map(() => aUser({ attributes: { [key]: value } })));
    const { json } = await service.get(`/service/calls/${callIdOf(created)}/items`, { token });
    const { error } = json.data.items[1];
    expect(error.data).toMatchObject({ position: null, serial: null });
    expect(error.detail).not.toContain('items[0]');
  });

  test('makes it visible to everyone, or brings back a deleted one', async () => {
    const key = await givenSecret();
    const { serial } = await service.givenUser({ attributes: { [key]: 'A' } });
    const path = `/service/attributes/${key}`;
    const opened = await service.request('PATCH', path, { body: { isSensitive: false }, token });
    expect(errorOf(opened)).toEqual(missing('attributes:sensitive'));
    const deleted = await service.request('DELETE', `${path}?confirm=1`);
    const { callId } = deleted.json.data;
    const items = `/service/calls/${callId}/items`;
    expect(errorOf(await service.get(items, { token: operator }))).toEqual(missing('access:admin'));
    const undoWith = (token: string) => service.post(`/service/calls/${callId}/undo`, undefined, { token });
    expect(errorOf(await undoWith(operator))).toEqual(missing('access:admin'));
    expect(errorOf(await undoWith(token))).toEqual(missing('attributes:sensitive'));
    expect((await service.get(path)).status).toBe(404);
    await undo(service, callId);
    expect(await attributesOf(serial)).toEqual({ [key]: 'A' });
  });

  test('counts who has a word that was searchable until now', async () => {
    const [key, word] = [await givenSecret({ isSensitive: false, isSearchable: true }), newId('w')];
    const { employeeID } = await service.givenUser({ attributes: { [key]: word } });
    service.context.bulkCalls.running++; // keeps the indexer from running in the background
    try {
      const body = { isSearchable: false, isSensitive: true };
      await service.request('PATCH', `/service/attributes/${key}`, { body });
      const query = `search=${word}&employeeID=${employeeID}&total=exact`;
      const { json } = await service.get(`/service/users?${query}`, { token });
      expect(json.data).toMatchObject({ items: [], isComplete: false });
      expect(json.data).not.toHaveProperty('total');
    } finally {
      service.context.bulkCalls.running--;
    }
  });
});

test('the limit of attributes also holds for an undo', async () => {
  const key = await givenSecret({ isSensitive: false });
  await service.givenUser({ attributes: { [key]: 'A' } });
  const { callId } = (await service.request('DELETE', `/service/attributes/${key}?confirm=1`)).json.data;
  const { pool } = service.database;
  await pool.query(
    `INSERT INTO attributes (key, type, is_unique, is_searchable, is_filterable, is_sensitive, is_editable_by_user, details)
     SELECT 'filler' || n, 'text', false, false, false, false, false,
       (SELECT details FROM attributes LIMIT 1) FROM generate_series((SELECT count(*) FROM attributes WHERE deleted_at IS NULL) + 1, 200) AS n`,
  );
  try {
    expect(errorOf(await previewUndo(service, callId))[0]).not.toBe('ATTRIBUTE_TOO_MANY'); // it defines nothing
    const reply = await undo(service, callId);
    expect(reply.json.message).toBe('ATTRIBUTE_TOO_MANY');
  } finally {
    await pool.query(`DELETE FROM attributes WHERE key LIKE 'filler%'`);
  }
});
