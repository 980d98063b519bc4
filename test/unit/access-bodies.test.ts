import { describe, expect, test } from 'vitest';
import { createClientFields, patchClientFields, rotateFields } from '../../src/contract/clients.js';
import type { FieldUse } from '../../src/contract/shapes.js';
import { changePasswordFields, roleFields, signInFields } from '../../src/contract/sign-in.js';
import { readJsonBody } from '../../src/http/json-body.js';
import { fieldsOf } from '../../src/http/request-body.js';
import { RequestRejected } from '../../src/http/request-rejected.js';

type Uses = Readonly<Record<string, FieldUse>>;

/** The fields, or what is wrong with the body. Text is sent as is, everything else as JSON. */
function read(uses: Uses, body: unknown, partial = false): unknown {
  const json = readJsonBody(Buffer.from(body instanceof Raw ? body.text : JSON.stringify(body)));
  if (!json.ok) throw new Error(json.failure.detail);
  try {
    return fieldsOf(json.body, uses, { partial });
  } catch (error) {
    if (!(error instanceof RequestRejected)) throw error;
    expect(error.failure.error).toBe('REQUEST_BODY_INVALID');
    return error.failure.detail;
  }
}

/** JSON that no value has. */
class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Row = [body: unknown, detail: RegExp];

const noObjects: Row[] = [
  [[], /^The body must be a JSON object, not an array\.$/],
  [null, /^The body must be a JSON object, not null\.$/],
  ['text', /^The body must be a JSON object, not a string\.$/],
  [0, /^The body must be a JSON object, not a number\.$/],
];

const nameRule = /^"name" must be a string of 1 to 200 characters that is not blank/;
const nameRequired = /^"name" is required\. It must be a string of 1 to 200 characters that is not blank, /;
const scopesRule =
  /^"scopes" must be a list of one or more of users:read, users:write, access:admin, audit:read, attributes:sensitive, scim/;
const scopesRequired = /^"scopes" is required\. It must be a list of one or more of users:read, /;
const scopes = ['users:read'];

describe('a new client', () => {
  test.each<Row>([
    ...noObjects,
    [{}, nameRequired],
    [{ name: null, scopes }, nameRequired],
    [{ name: '', scopes }, nameRequired],
    [{ name: ' \t\n ', scopes }, nameRequired],
    [{ name: 7, scopes }, /^"name" must be a string of .*, not a number\.$/],
    [{ name: 'n'.repeat(201), scopes }, nameRule],
    [{ name: 'a\u0000b', scopes }, /U\+0000/],
    [{ name: 'a\ud800b', scopes }, /U\+D800/],
    [{ name: 'X' }, scopesRequired],
    [{ name: 'X', scopes: null }, scopesRequired],
    [{ name: 'X', scopes: [] }, scopesRule],
    [{ name: 'X', scopes: 'users:read' }, scopesRule],
    [{ name: 'X', scopes: ['users:read', 'users:delete'] }, scopesRule],
    [{ name: 'X', scopes: ['USERS:READ'] }, scopesRule],
    [{ name: 'X', scopes: ['users:read', 7] }, scopesRule],
    [{ name: 'X', scopes: [null] }, scopesRule],
    [{ name: 'X', scopes: [['users:read']] }, scopesRule],
    [{ name: 'X', scopes: { 0: 'users:read' } }, scopesRule],
    [{ name: 'X', scopes, id: 'mine' }, /^"id" is not a field .* Use name, scopes, ignoresUnknownFields\.$/],
    [{ name: 'X', scopes, secret: 'hunter2' }, /^"secret" is not a field of this operation/],
    [{ name: 'X', scopes, isActive: false }, /^"isActive" is not a field of this operation/],
    [
      new Raw('{"name":"A","scopes":["users:read"],"scopes":[]}'),
      /^"scopes" appears twice\. Send it once\.$/,
    ],
    [new Raw('{"name":"A","scopes":["users:read"],"__proto__":{}}'), /^"__proto__" is not a field/],
  ])('is rejected: %j', (body, detail) => {
    expect(read(createClientFields, body)).toMatch(detail);
  });

  test.each([
    'n'.repeat(200),
    '\u{1F600}'.repeat(200),
    'Ночная 夜间同步 מזמן',
    `'); DROP TABLE clients; -- <b>&amp;`,
  ])('may have the name %s', (name) => {
    expect(read(createClientFields, { name, scopes })).toEqual({ name, scopes });
  });

  test('has a trimmed name, and each scope once', () => {
    const body = { name: '  Nightly sync ', scopes: ['users:write', 'users:read', 'users:write'] };
    expect(read(createClientFields, body)).toEqual({
      name: 'Nightly sync',
      scopes: ['users:write', 'users:read'],
    });
  });
});

describe('a change to a client', () => {
  test.each<Row>([
    ...noObjects,
    [{ name: null }, nameRequired],
    [{ name: ' ' }, nameRequired],
    [{ name: ['X'] }, nameRule],
    [{ scopes: null }, scopesRequired],
    [{ scopes: [] }, scopesRule],
    [{ isActive: null }, /^"isActive" is required\. It must be a boolean, true or false\.$/],
    [{ isActive: 'false' }, /^"isActive" must be a boolean, true or false\.$/],
    [{ isActive: 0 }, /^"isActive" must be a boolean, true or false, not a number\.$/],
    [{ colour: 'red' }, /^"colour" is not a field .* Use name, scopes, ignoresUnknownFields, isActive\.$/],
    [{ id: 'client-1' }, /^"id" is not a field of this operation/],
    [{ secrets: [] }, /^"secrets" is not a field of this operation/],
    [{ isactive: false }, /^"isactive" is not a field of this operation/],
    [new Raw('{"isActive":true,"isActive":false}'), /^"isActive" appears twice\. Send it once\.$/],
  ])('is rejected: %j', (body, detail) => {
    expect(read(patchClientFields, body, true)).toMatch(detail);
  });

  test('contains only what was sent', () => {
    expect(read(patchClientFields, {}, true)).toEqual({});
    expect(read(patchClientFields, { isActive: false }, true)).toEqual({ isActive: false });
  });
});

describe('the overlap of a rotation', () => {
  const rule = /^"overlapSeconds" must be a whole number from 0 to 2592000/;

  test.each<Row>([
    ...noObjects,
    [{ overlapSeconds: -1 }, rule],
    [{ overlapSeconds: 1.5 }, rule],
    [{ overlapSeconds: '1' }, /^"overlapSeconds" must be a whole number from 0 to 2592000\.$/],
    [{ overlapSeconds: true }, /from 0 to 2592000, not a boolean\.$/],
    [{ overlapSeconds: [1] }, rule],
    [{ overlapSeconds: 2_592_001 }, rule],
    [new Raw('{"overlapSeconds":1e999}'), rule],
    [{ overlap: 1 }, /^"overlap" is not a field .* Use overlapSeconds\.$/],
    [{ secret: 'hunter2' }, /^"secret" is not a field of this operation/],
  ])('is rejected: %j', (body, detail) => {
    expect(read(rotateFields, body)).toMatch(detail);
  });

  test.each([0, 1, 2_592_000, null])('may be %j', (overlapSeconds) => {
    expect(read(rotateFields, { overlapSeconds })).toEqual({ overlapSeconds });
  });
});

describe('a sign-in', () => {
  const good = { username: 'ada', password: 'a password' };

  test.each<Row>([
    ...noObjects,
    [{ password: 'x' }, /^"username" is required\. It must be a non-empty string\.$/],
    [{ username: 'ada' }, /^"password" is required\. It must be a non-empty string\.$/],
    [{ ...good, username: null }, /^"username" is required/],
    [{ ...good, username: '' }, /^"username" is required/],
    [{ ...good, password: '' }, /^"password" is required/],
    [{ ...good, username: 7 }, /^"username" must be a non-empty string.*, not a number/],
    [{ ...good, password: 7 }, /^"password" must be a non-empty string.*, not a number/],
    [{ ...good, password: ['x'] }, /^"password" must be a non-empty string[^x]*$/],
    [{ ...good, password: {} }, /^"password" must be a non-empty string.*, not an object/],
    [{ ...good, remember: true }, /^"remember" is not a field of this operation/],
    [
      new Raw('{"username":"a","password":"x","password":"y"}'),
      /^"password" appears twice\. Send it once\.$/,
    ],
  ])('is rejected: %j', (body, detail) => {
    expect(read(signInFields, body)).toMatch(detail);
  });

  test('is read as is, including spaces', () => {
    const body = { username: ' ada ', password: '  a  ' };
    expect(read(signInFields, body)).toEqual(body);
  });
});

describe('a password change', () => {
  const good = { currentPassword: 'x', newPassword: 'correct horse battery staple' };

  test.each<Row>([
    ...noObjects,
    [{ newPassword: 'x' }, /^"currentPassword" is required\. It must be a non-empty/],
    [{ currentPassword: 'x' }, /^"newPassword" is required/],
    [{ ...good, newPassword: '' }, /^"newPassword" is required/],
    [{ ...good, newPassword: null }, /^"newPassword" is required/],
    [{ ...good, newPassword: 12345678 }, /^"newPassword" must be .*, not a number/],
    [{ ...good, currentPassword: {} }, /^"currentPassword" must be .*, not an/],
    [{ ...good, username: 'ada' }, /^"username" is not a field of this operation/],
  ])('is rejected: %j', (body, detail) => {
    expect(read(changePasswordFields, body)).toMatch(detail);
  });
});

describe('a role', () => {
  const rule = /^"role" must be one of viewer, operator, administrator, or null for none/;

  test.each<Row>([
    ...noObjects,
    [{ role: 'owner' }, rule],
    [{ role: 'Viewer' }, rule],
    [{ role: ['viewer'] }, rule],
    [{ role: 'constructor' }, rule],
    [{ role: 1 }, /^"role" must be one of .*, not a number\.$/],
    [{ role: 'viewer', scopes: ['access:admin'] }, /^"scopes" is not a field of this operation/],
    [new Raw('{"role":"viewer","role":"administrator"}'), /^"role" appears twice\. Send it once\.$/],
  ])('is rejected: %j', (body, detail) => {
    expect(read(roleFields, body)).toMatch(detail);
  });

  test.each(['viewer', 'operator', 'administrator', null])('may be %j', (role) => {
    expect(read(roleFields, { role })).toEqual({ role });
  });
});
