import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/scim/language/json.js';
import { readResource } from '../../../src/scim/read-resource.js';
import { urns, userSchema } from '../../../src/scim/schemas.js';

function read(sent: JsonObject) {
  const result = readResource(sent, userSchema([]));
  return result.ok ? result.value : result.scimType;
}

test('of several primary values, the last one stays primary', () => {
  const email = (value: string, primary: boolean) => ({ value, primary });
  const sent = [email('a@x.example', true), email('b@x.example', true), email('c@x.example', false)];
  expect(read({ userName: 'ada', emails: sent })).toMatchObject({
    resource: { emails: [email('a@x.example', false), sent[1], sent[2]] },
  });
});

test('names of attributes match in any case, also in extensions', () => {
  expect(
    read({ USERNAME: 'ada', Emails: [{ VALUE: 'a' }], [urns.enterprise.toUpperCase()]: { Department: 'D' } }),
  ).toEqual({
    resource: { userName: 'ada', emails: [{ value: 'a' }], [urns.enterprise]: { department: 'D' } },
    unknown: [],
  });
});

test('read-only attributes are left out', () => {
  const readOnly = { id: '1', meta: { resourceType: 'Group', version: 'W/"7"' }, groups: [{ value: 'T1' }] };
  const manager = { value: 'm', displayName: 'Mary' };
  expect(read({ ...readOnly, userName: 'ada', [urns.enterprise]: { manager } })).toEqual({
    resource: { userName: 'ada', [urns.enterprise]: { manager: { value: 'm' } } },
    unknown: [],
  });
});

test('null, an empty list and an absent attribute are the same', () => {
  expect(read({ userName: 'ada', title: null, emails: [], name: {} })).toEqual(read({ userName: 'ada' }));
});

test('schemas that nobody here knows are rejected, and no others', () => {
  expect(read({ schemas: [urns.user, 'urn:example:User'], userName: 'ada' })).toBe('invalidValue');
  expect(read({ schemas: [urns.user, urns.enterprise], userName: 'ada' })).toMatchObject({ unknown: [] });
});

test('values keep their case', () => {
  expect(read({ userName: 'AdA', externalId: 'aB1' })).toMatchObject({
    resource: { userName: 'AdA', externalId: 'aB1' },
  });
});
