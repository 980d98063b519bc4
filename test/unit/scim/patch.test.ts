import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/scim/language/json.js';
import { applyPatch, changesMax, stepsMax } from '../../../src/scim/language/patch.js';
import { userSchema as realSchema } from '../../../src/scim/schemas.js';
import { enterprise, userSchema } from './user-schema.js';

const work = { value: 'ada@work.example', type: 'work', primary: true };
const home = { value: 'ada@home.example', type: 'home' };

const ada: JsonObject = {
  id: '1',
  userName: 'ada',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  active: true,
  emails: [work, home],
  members: [
    { value: 'a', type: 'User', display: 'A' },
    { value: 'b', type: 'User', display: 'B' },
  ],
  [enterprise]: { department: 'Engines', manager: { value: 'm1', displayName: 'Mary' } },
};

function patch(resource: JsonObject, ...operations: readonly unknown[]): JsonObject {
  const result = applyPatch(resource, operations, userSchema);
  if (!result.ok) throw new Error(`${result.scimType}: ${result.detail}`);
  return result.value;
}

function problemOf(operation: unknown, resource = ada): string | undefined {
  const result = applyPatch(resource, [operation], userSchema);
  return result.ok ? undefined : `${result.scimType}: ${result.detail.replace('Operations[0]: ', '')}`;
}

const add = (path: string | undefined, value: unknown) => ({ op: 'add', path, value });
const replace = (path: string | undefined, value: unknown) => ({ op: 'replace', path, value });
const remove = (path: string, value?: unknown) => ({ op: 'remove', path, value });

describe('single values', () => {
  test('add and replace set them, remove clears them', () => {
    expect(patch(ada, add('nickName', 'Countess'))).toEqual({ ...ada, nickName: 'Countess' });
    expect(patch(ada, replace('userName', 'king'))).toEqual({ ...ada, userName: 'king' });
    const { active: _, ...unknown } = ada;
    expect(patch(ada, remove('active'))).toEqual(unknown);
    expect(patch(ada, replace('active', null))).toEqual(unknown);
  });

  test('null and an empty list stand for no value', () => {
    expect(patch(ada, replace('name', null), replace('emails', []))).toEqual(
      patch(ada, remove('name'), remove('emails')),
    );
  });

  test('sub-attributes change alone, and so do those that an object names', () => {
    const married = { ...ada, name: { familyName: 'King', givenName: 'Ada' } };
    expect(patch(ada, replace('name.familyName', 'King'))).toEqual(married);
    expect(patch(ada, replace('name', { familyName: 'King' }))).toEqual(married);
    expect(patch(ada, replace(undefined, { name: { familyName: 'King' } }))).toEqual(married);
    expect(patch(ada, remove('name.familyName')).name).toEqual({ givenName: 'Ada' });
    expect(patch(ada, remove('name.familyName'), remove('name.givenName'))).not.toHaveProperty('name');
  });

  test('extensions are created when they are first used, and removed whole', () => {
    expect(patch({}, add(`${enterprise}:department`, 'Engines'))).toEqual({
      [enterprise]: { department: 'Engines' },
    });
    expect(patch({}, add(undefined, { [enterprise]: { employeeNumber: '7' } }))).toEqual({
      [enterprise]: { employeeNumber: '7' },
    });
    expect(patch(ada, remove(enterprise))).not.toHaveProperty([enterprise]);
  });

  test('names match in any case and are written as in the schema', () => {
    expect(patch({}, replace('NAME.GivenName', 'Ada'))).toEqual({ name: { givenName: 'Ada' } });
    expect(patch({}, replace(undefined, { UserName: 'ada', Name: { GIVENNAME: 'Ada' } }))).toEqual({
      userName: 'ada',
      name: { givenName: 'Ada' },
    });
    expect(patch({}, add(`${enterprise.toUpperCase()}:DEPARTMENT`, 'x'))).toEqual({
      [enterprise]: { department: 'x' },
    });
    expect(patch({}, add('urn:ietf:params:scim:schemas:core:2.0:User:title', 'x'))).toEqual({ title: 'x' });
  });
});

describe('multi-valued attributes', () => {
  const mobile = { value: 'ada@mobile.example', type: 'mobile' };

  test('add appends, one value or several', () => {
    expect(patch(ada, add('emails', [mobile])).emails).toEqual([work, home, mobile]);
    expect(patch(ada, add('emails', mobile)).emails).toEqual([work, home, mobile]);
    expect(patch(ada, add(undefined, { emails: [mobile] })).emails).toEqual([work, home, mobile]);
    expect(patch({}, add('schemas', ['a', 'b', 'a'])).schemas).toEqual(['a', 'b']);
  });

  test('add does not repeat a value, whatever its case or display name', () => {
    expect(patch(ada, add('emails', [{ ...home, value: 'ADA@home.example' }])).emails).toHaveLength(2);
    expect(patch(ada, add('members', [{ value: 'a' }, { value: 'A' }])).members).toEqual([
      { value: 'a', type: 'User', display: 'A' },
      { value: 'b', type: 'User', display: 'B' },
      { value: 'A' },
    ]);
    expect(patch(ada, add('emails', { value: home.value, type: 'other' })).emails).toHaveLength(3);
    const same = [{ value: 'x' }, { value: 'x', type: 'work' }, { value: 'X' }];
    expect(patch({}, add('emails', same)).emails).toEqual([{ value: 'X', type: 'work' }]);
    const address = { streetAddress: '1 St James Square', country: 'GB' };
    expect(patch({ addresses: [address] }, add('addresses', [address, { country: 'GB' }])).addresses).toEqual(
      [address, { country: 'GB' }],
    );
  });

  test('a value without a `value` is the same if everything but `primary` is', () => {
    const address = { streetAddress: '1 St James Square', country: 'GB' };
    const primary = { ...address, primary: true };
    expect(patch({ addresses: [address] }, add('addresses', primary)).addresses).toEqual([primary]);
  });

  test('replace sets the whole list', () => {
    expect(patch(ada, replace('emails', [mobile])).emails).toEqual([mobile]);
    expect(patch(ada, replace('emails', []))).not.toHaveProperty('emails');
  });

  test('a filter selects the values to replace, which keep what they were selected by', () => {
    const moved = { value: 'ada@new.example', type: 'work' };
    expect(patch(ada, replace('emails[type eq "work"]', { value: moved.value })).emails).toEqual([
      moved,
      home,
    ]);
    expect(patch(ada, replace('emails[type eq "work"].value', moved.value)).emails).toEqual([
      { ...moved, primary: true },
      home,
    ]);
    expect(patch(ada, replace('emails.display', 'Ada')).emails).toEqual([
      { ...work, display: 'Ada' },
      { ...home, display: 'Ada' },
    ]);
  });

  test('replace fails if nothing matches', () => {
    const noTarget = 'noTarget: No value matches "path".';
    expect(problemOf(replace('emails[type eq "other"]', { value: 'x' }))).toBe(noTarget);
    expect(problemOf(replace('emails[type eq "other"].value', 'x'))).toBe(noTarget);
  });

  test('add creates what the filter describes if nothing matches', () => {
    expect(patch({}, add('emails[type eq "work"].value', 'a@b.c')).emails).toEqual([
      { type: 'work', value: 'a@b.c' },
    ]);
    expect(patch({}, add('emails[type eq "work" and primary eq true]', { value: 'a@b.c' })).emails).toEqual([
      { type: 'work', primary: true, value: 'a@b.c' },
    ]);
    expect(patch({}, add('emails.value', 'a@b.c')).emails).toEqual([{ value: 'a@b.c' }]);
    const noTarget = 'noTarget: No value matches "path".';
    expect(problemOf(add('emails[type ne "work"].value', 'x'), {})).toBe(noTarget);
    expect(problemOf(add('emails[type eq "a" or type eq "b"].value', 'x'), {})).toBe(noTarget);
  });

  test('remove takes out what a filter selects, or everything', () => {
    expect(patch(ada, remove('emails[type eq "work" and value ew "work.example"]')).emails).toEqual([home]);
    expect(patch(ada, remove('emails[type eq "work"].primary')).emails).toEqual([
      { value: work.value, type: 'work' },
      home,
    ]);
    expect(patch(ada, remove('emails[type eq "other"]'))).toEqual(ada);
    expect(patch(ada, remove('emails'))).not.toHaveProperty('emails');
    expect(patch(ada, remove('members[value pr]'))).not.toHaveProperty('members');
  });

  test('the primary value that was set last is the only one', () => {
    const isPrimary = (each: JsonObject) => each.primary === true;
    const primaryOf = ({ emails }: JsonObject) => (emails as JsonObject[]).filter(isPrimary);
    const newHome = { ...home, primary: true };
    expect(primaryOf(patch(ada, add('emails', [{ ...mobile, primary: true }])))).toEqual([
      { ...mobile, primary: true },
    ]);
    expect(primaryOf(patch(ada, add('emails', [newHome])))).toEqual([newHome]);
    expect(primaryOf(patch(ada, replace('emails[type eq "home"].primary', true)))).toEqual([newHome]);
    expect(primaryOf(patch(ada, replace('emails', [work, newHome])))).toEqual([newHome]);
    expect(primaryOf(patch(ada, add('emails', [mobile])))).toEqual([work]);
  });
});

describe('the operations of Entra ID and Okta', () => {
  test('"Add" and "Replace" are capitalized, and booleans are texts', () => {
    expect(patch(ada, { op: 'Replace', path: 'active', value: 'False' }).active).toBe(false);
    expect(patch({}, { op: 'Add', path: 'active', value: 'True' }).active).toBe(true);
  });

  test('names in a value are paths', () => {
    const value = {
      'name.givenName': 'Augusta',
      [`${enterprise}:department`]: 'Analysis',
      'emails[type eq "home"].value': 'new@home.example',
    };
    expect(patch(ada, { op: 'Replace', value })).toEqual({
      ...ada,
      name: { familyName: 'Lovelace', givenName: 'Augusta' },
      emails: [work, { ...home, value: 'new@home.example' }],
      [enterprise]: { department: 'Analysis', manager: { value: 'm1', displayName: 'Mary' } },
    });
  });

  test('members are removed by listing them', () => {
    const members = patch(ada, { op: 'Remove', path: 'members', value: [{ value: 'a' }] }).members;
    expect(members).toEqual([{ value: 'b', type: 'User', display: 'B' }]);
    expect(patch(ada, remove('members', []))).toEqual(ada);
    expect(patch(ada, remove('members', [{ value: 'a', type: 'Group' }]))).toEqual(ada);
  });

  test('an ID stands for the object that has it as its value', () => {
    expect(patch({}, add('members', 'a')).members).toEqual([{ value: 'a' }]);
    const manager = patch(ada, replace(`${enterprise}.manager`, 'm2'))[enterprise];
    expect(manager).toHaveProperty('manager.value', 'm2');
  });

  test('sub-attributes that members do not have are left out', () => {
    const sent = [{ displayName: 'New', display: 'New', value: 'c' }];
    expect(patch({}, add('members', sent)).members).toEqual([{ value: 'c' }]);
  });

  test('a group is renamed with its ID in the value', () => {
    expect(patch(ada, replace(undefined, { id: '1', displayName: 'Countess' }))).toEqual({
      ...ada,
      displayName: 'Countess',
    });
  });

  test('a list of one stands for its value', () => {
    expect(patch({}, add('nickName', [{ $ref: null, value: 'Ada' }])).nickName).toBe('Ada');
    expect(patch({}, add(`${enterprise}:manager`, [{ $ref: null, value: 'm1' }]))).toEqual({
      [enterprise]: { manager: { value: 'm1' } },
    });
  });
});

describe('failures', () => {
  test.each([
    [null, 'invalidSyntax: An operation must be a JSON object.'],
    [{ op: 'move', path: 'a' }, 'invalidSyntax: "op" must be add, remove or replace.'],
    [{ op: 'add', path: 'title' }, 'invalidValue: To add, send a "value".'],
    [{ op: 'add', path: 7, value: 'x' }, 'invalidPath: "path" must be a string.'],
    [{ op: 'remove' }, 'noTarget: To remove something, name it in "path".'],
    [{ op: 'add', value: 'x' }, 'invalidValue: Without "path", "value" must be a JSON object.'],
    [replace('name..x', 1), 'invalidPath: "name..x" is not a path. Expected an attribute at character 1.'],
    [replace('usrName', 1), 'invalidPath: "usrName" is not an attribute. Did you mean "userName"?'],
    [
      replace('name.givnName', 1),
      'invalidPath: "name.givnName" is not an attribute. Did you mean "name.givenName"?',
    ],
    [
      replace(undefined, { departmnt: 'x' }),
      `invalidPath: "departmnt" is not an attribute. Did you mean "${enterprise}:department"?`,
    ],
    [
      replace('name', { givnName: 1 }),
      'invalidPath: "givnName" is not an attribute. Did you mean "givenName"?',
    ],
    [replace('urn:example:User:x', 1), 'invalidPath: "urn:example:User:x" is not an attribute.'],
    [
      replace('emails[typ eq "x"].value', 1),
      'invalidFilter: "typ" is not an attribute. Did you mean "type"?',
    ],
    [
      replace('name[givenName eq "x"]', 1),
      'invalidPath: "name" has a single value, so nothing can be selected from it.',
    ],
    [replace('schemas[value eq "x"].value', 'y'), 'invalidPath: "value" is not an attribute.'],
    [replace('id', '2'), 'mutability: "id" is read-only.'],
    [remove('id'), 'mutability: "id" is read-only.'],
    [replace('meta.created', '2026-01-01T00:00:00Z'), 'mutability: "created" is read-only.'],
    [replace(undefined, { id: '2' }), 'mutability: "id" is read-only.'],
    [replace('members[value eq "a"].value', 'c'), 'mutability: "value" is immutable.'],
    [replace('active', 'yes'), 'invalidValue: "active" must be a boolean.'],
    [replace('userName', 7), 'invalidValue: "userName" must be a string.'],
    [replace('logins', 1.5), 'invalidValue: "logins" must be an integer.'],
    [replace('name', 'Ada'), 'invalidValue: "name" must be a JSON object.'],
    [add('emails', [['x', 'y']]), 'invalidValue: "emails" must be a JSON object.'],
  ])('%j', (operation, problem) => {
    expect(problemOf(operation)).toBe(problem);
  });

  test('a read-only value can only be sent back', () => {
    const meta = { resourceType: 'User', created: '2026-01-01T00:00:00Z' };
    const user = { ...ada, meta };
    for (const same of [replace('meta', meta), replace(undefined, { id: '1', meta }), replace('id', '1')]) {
      expect(patch(user, same)).toEqual(user);
    }
    for (const other of [
      replace('meta', { ...meta, resourceType: 'Group' }),
      replace(undefined, { meta: { version: 'W/"7"' } }),
      remove('meta'),
    ]) {
      expect(problemOf(other, user)).toBe('mutability: "meta" is read-only.');
    }
    expect(problemOf(add('id', '2'), {})).toBe('mutability: "id" is read-only.');
    expect(patch({}, add(`${enterprise}:manager`, { value: 'm1', displayName: 'Mary' }))).toEqual({
      [enterprise]: { manager: { value: 'm1' } },
    });
  });

  test.each([
    add('groups', [{ value: 'T1' }]),
    replace('groups', [{ value: 'T1' }]),
    replace(undefined, { groups: [{ value: 'T1' }] }),
    add('groups[value eq "T1"]', { display: 'T1' }),
    remove('groups'),
  ])('groups change only through /Groups: %j', (operation) => {
    expect(applyPatch({ userName: 'ada' }, [operation], realSchema([]))).toMatchObject({
      ok: false,
      scimType: 'mutability',
    });
    const groups = [
      { value: 'T2', type: 'direct' },
      { value: 'T3', type: 'direct' },
    ];
    const back = [replace('groups', groups), add('groups', [{ value: 'T3' }])];
    expect(applyPatch({ groups }, back, realSchema([]))).toEqual({ ok: true, value: { groups } });
  });

  test('a required value can be replaced, but not removed', () => {
    expect(patch(ada, replace('userName', 'bob'))).toMatchObject({ userName: 'bob' });
    for (const removal of [
      remove('userName'),
      replace('username', null),
      replace(undefined, { userName: null }),
    ]) {
      expect(problemOf(removal)).toBe('mutability: "userName" is required, so it cannot be removed.');
    }
  });

  test('an immutable value can be set once, and sent again', () => {
    const badged = patch({}, add('badge', '7'));
    expect(patch(badged, replace('badge', '7'))).toEqual(badged);
    expect(problemOf(replace('badge', '8'), badged)).toBe('mutability: "badge" is immutable.');
  });

  test('limits the changes of a request, not the values of a change', () => {
    const many = Array(changesMax + 1).fill('title');
    const tooMany = {
      ok: false,
      scimType: 'invalidValue',
      detail: 'A request may have at most 2000 operations and names in their values.',
    };
    const operations = many.map((path) => replace(path, 'x'));
    expect(applyPatch(ada, operations, userSchema)).toEqual(tooMany);
    const names = Object.fromEntries(many.map((_, at) => [`emails[type eq "${at}"].value`, 'x']));
    expect(applyPatch(ada, [add(undefined, names)], userSchema)).toEqual(tooMany);
    expect(applyPatch(ada, [add(undefined, { [enterprise]: names })], userSchema)).toEqual(tooMany);
    expect(patch({}, ...operations.slice(1))).toEqual({ title: 'x' });
    const members = many.map((_, at) => ({ value: String(at), type: 'User', display: 'x' }));
    expect(patch({}, add('members', members)).members).toHaveLength(many.length);
  });

  test('limits the values that all operations go through', () => {
    const emails = Array.from({ length: 1_000 }, (_, at) => ({ value: String(at), type: 'work' }));
    const once = replace('emails[type eq "home" or value eq "7" or value eq "8"].display', 'x');
    const many = Array(stepsMax / 4 / emails.length).fill(once);
    expect(applyPatch({ emails }, many, userSchema)).toHaveProperty('ok', true);
    const tooMany = { ok: false, scimType: 'invalidValue' };
    expect(applyPatch({ emails }, [...many, once], userSchema)).toMatchObject(tooMany);
    const growing = [add('emails', emails), ...many, once];
    expect(applyPatch({}, growing, userSchema)).toMatchObject(tooMany);
  });

  test('limits the comparisons of a path', () => {
    const path = (count: number) => `emails[${Array(count).fill('type eq "work"').join(' or ')}].value`;
    expect(problemOf(replace(path(50), 'x'))).toBeUndefined();
    expect(problemOf(replace(path(51), 'x'))).toBe(
      'invalidFilter: A filter in a path may have at most 50 comparisons.',
    );
  });

  test('names the operation, and applies none', () => {
    const operations = [replace('title', 'Countess'), replace('id', '2')];
    expect(applyPatch(ada, operations, userSchema)).toEqual({
      ok: false,
      scimType: 'mutability',
      detail: 'Operations[1]: "id" is read-only.',
    });
  });
});

test('names of what objects inherit are names like any others', () => {
  expect(patch({}, add('constructor', 'x'))).toEqual({ constructor: 'x' });
  expect(patch({}, remove('constructor'))).toEqual({});
  const polluting = JSON.parse('{"__proto__": {"isAdmin": true}}') as JsonObject;
  expect(problemOf(add(undefined, polluting))).toContain('invalidPath');
  expect(problemOf(add('toString', 'x'))).toContain('invalidPath');
  expect(Object.keys(patch({}, add('members', [{ value: 'a', ...polluting }])).members as object)).toEqual([
    '0',
  ]);
  expect({}).not.toHaveProperty('isAdmin');
});

test('the input is never changed, whatever is sent', () => {
  const frozen = deepFrozen(structuredClone(ada));
  const paths = fc.constantFrom(
    ...[
      'userName',
      'name',
      'name.givenName',
      'emails',
      'emails[type eq "work"]',
      'emails[type eq "other"].value',
    ],
    ...['emails.primary', 'members', 'members[value eq "a"]', 'active', 'id', 'logins', enterprise],
    ...[`${enterprise}:manager`, `${enterprise}:manager.value`, 'schemas', undefined],
  );
  const known = fc.dictionary(
    fc.constantFrom('value', 'type', 'primary', 'givenName', 'emails', 'userName', '__proto__'),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom('True', 'a', true, 7), known, fc.array(known));
  const operation = fc.record({
    op: fc.constantFrom('add', 'Replace', 'remove'),
    path: paths,
    value: values,
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 4 }), (operations) => {
      applyPatch(frozen, deepFrozen(operations), userSchema);
      expect(frozen).toEqual(ada);
    }),
  );
});

/** Writing to a frozen object throws. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const each of Object.values(value)) deepFrozen(each);
  return Object.freeze(value);
}
