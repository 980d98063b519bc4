import { expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useOwnService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useOwnService({ ROLLCALL_USER_EDITABLE_FIELDS: 'name' });
const url = '/service/me/profile';

async function givenAttribute(settings: object = {}): Promise<string> {
  const key = newId('a');
  await service.post('/service/attributes', { key, type: 'text', ...settings });
  return key;
}

test('users without a role see their data, their manager and reports, and nothing sensitive', async () => {
  const shown = await givenAttribute();
  const hidden = await givenAttribute({ isSensitive: true });
  const own = await givenAttribute({ isSensitive: true, isEditableByUser: true });
  const manager = await service.givenUser();
  const organizationSerial = newId('ORG');
  await service.request('PUT', `/service/organizations/${organizationSerial}`, {
    body: { displayName: 'Sales' },
  });
  const user = await givenSignedInUser(service, null, {
    organizationSerial,
    managerEmployeeID: manager.employeeID,
    attributes: { [shown]: 'A', [hidden]: 'B', [own]: 'C' },
  });
  const report = await service.givenUser({ managerEmployeeID: user.employeeID });
  const { data } = (await service.get(url, user)).json;
  expect(data).toMatchObject({
    user: {
      serial: user.serial,
      attributes: { [shown]: 'A', [own]: 'C' },
      manager: { employeeID: manager.employeeID },
    },
    organizationName: 'Sales',
    editable: ['name', `attributes.${own}`],
    reports: [{ employeeID: report.employeeID, isActive: true }],
    hasMoreReports: false,
  });
  expect(Object.keys(data.user.attributes)).not.toContain(hidden);
  expect(data.attributes.map(({ key }: { key: string }) => key)).not.toContain(hidden);
  const history = await service.get('/service/me/history', user);
  expect(history.text).not.toContain(hidden);
  expect(history.json.data.items.at(-1)).toMatchObject({ kind: 'created', by: 'program' });
});

test('users change what the company lets them change, and nothing else', async () => {
  const [own, other] = [await givenAttribute({ isEditableByUser: true }), await givenAttribute()];
  const user = await givenSignedInUser(service);
  const change = (body: object) => service.request('PATCH', url, { body, token: user.token });
  const changed = await change({ name: 'Ada  King', attributes: { [own]: 'M' } });
  expect(changed.json.data.user).toMatchObject({ name: 'Ada King', attributes: { [own]: 'M' } });
  expect((await change({ attributes: { [own]: null } })).json.data.user.attributes).toEqual({});
  for (const [body, field] of [
    [{ name: 'Eve', email: 'eve@example.org' }, 'email'],
    [{ phone: null }, 'phone'],
    [{ attributes: { [other]: 'X' } }, `attributes.${other}`],
    [{ attributes: { nope: 'X' } }, 'attributes.nope'],
    [{ attributes: { ['__proto__']: 'X' } }, 'attributes.__proto__'],
  ] as const) {
    expectFailure(await change(body), 403, 10265, 'ACCESS_FIELD_NOT_EDITABLE', new RegExp(`"${field}"`));
  }
  for (const field of ['isActive', 'employeeID', 'username', 'managerEmployeeID', 'tagSerials', 'role']) {
    expect((await change({ [field]: null })).json.message, field).toBe('USER_FIELD_NOT_ACCEPTED');
  }
  expect((await change({ name: null })).json.message).toBe('USER_FIELD_REQUIRED');
  expect((await service.get(url, user)).json.data.user.name).toBe('Ada King');
});

test('only those who signed in have an account', async () => {
  for (const path of [url, '/service/me/history']) {
    expect((await service.get(path)).json.message).toBe('ACCESS_USER_REQUIRED');
  }
});
