import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { type GivenUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService();

const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

function patch(serial: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body, headers });
}

/** Patches, and checks that the rejection left the user unchanged. */
async function refusedPatch(
  user: GivenUser,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const before = await service.readUser(user.serial);
  const reply = await patch(user.serial, body, headers);
  expect(await service.readUser(user.serial)).toEqual(before);
  return reply;
}

describe('PATCH /service/users/{serial} rejects clearing a required field', () => {
  test.each([
    ['employeeID', null],
    ['employeeID', ''],
    ['name', null],
    ['name', ''],
    ['name', ' \t '],
    ['isActive', null],
  ])('%s with %j', async (field, value) => {
    const reply = await refusedPatch(await service.givenUser(), { [field]: value });
    expectFailure(
      reply,
      400,
      10106,
      'USER_FIELD_REQUIRED',
      new RegExp(`^"${field}" is required. It must be `),
    );
  });
});

describe('PATCH /service/users/{serial} rejects by name', () => {
  test.each([
    ['serial', /"serial" is not a field of this operation. Use employeeID, name, /],
    ['createdAt', /"createdAt" is not a field of this operation/],
    ['updatedAt', /"updatedAt" is not a field of this operation/],
    ['version', /"version" is not a field of this operation/],
    ['password', /"password" is not accepted by this operation/],
    ['newEmployeeID', /"newEmployeeID" is not accepted by this operation/],
    ['Name', /"Name" is not a field of this operation/],
    ['constructor', /"constructor" is not a field of this operation/],
    ['__proto__', /"__proto__" is not a field of this operation/],
  ])('the field %s, even next to a valid one', async (field, detail) => {
    const user = await service.givenUser();
    const reply = await refusedPatch(user, JSON.parse(`{"name": "Ada King", "${field}": "x"}`));
    expectFailure(reply, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', detail);
  });

  test('a read-only field, even with its current value', async () => {
    const user = await service.givenUser();
    const reply = await refusedPatch(user, { serial: user.serial });
    expectFailure(reply, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', /"serial"/);
  });

  test('a repeated field', async () => {
    const user = await service.givenUser();
    const reply = await service.request('PATCH', `/service/users/${user.serial}`, {
      rawBody: '{"name": "A", "name": "B"}',
    });
    expectFailure(reply, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', /"name" appears twice/);
  });
});

describe('PATCH /service/users/{serial} rejects an invalid value', () => {
  test.each([
    ['employeeID', 'E 1', /a-z, A-Z and 0-9/],
    ['employeeID', ' E1', /a-z, A-Z and 0-9/],
    ['employeeID', 'É1', /a-z, A-Z and 0-9/],
    ['employeeID', 'a'.repeat(65), /1 to 64 characters/],
    ['employeeID', 7, /not a number/],
    ['name', 'a'.repeat(201), /1 to 200 characters/],
    ['name', 'a\u0000b', /must not contain the control character U\+0000 \(character 2\); remove it/],
    ['name', '😀\ud800b', /the lone surrogate U\+D800 \(character 2\)/],
    ['name', '  Ada\u001b[1m', /must not contain the control character U\+001B \(character 4\); remove it/],
    ['name', 'Ada\u202e', /the bidirectional control character U\+202E \(character 4\)/],
    ['name', `A${'\u0301\u0323'.repeat(50)}`, /more than 30 combining marks in a row/],
    ['name', ['Ada'], /a string of 1 to 200/],
    ['username', 'ada.l', /a-z, A-Z and 0-9/],
    ['username', false, /not a boolean/],
    ['email', 'ada', /an email address/],
    ['email', 'ada@@example.com', /an email address/],
    ['email', 'ada @example.com', /an email address/],
    ['email', `${'a'.repeat(64)}@${'b'.repeat(190)}.com`, /at most 254 characters/],
    ['email', { address: 'ada@example.com' }, /not an object/],
    ['phone', '1'.repeat(65), /a string of 1 to 64 characters/],
    ['phone', '12\t34', /the control character U\+0009 \(character 3\)/],
    ['phone', 442079460958, /not a number/],
    ['isActive', 'true', /a boolean, true or false/],
    ['isActive', '', /a boolean, true or false/],
    ['isActive', 1, /a boolean, true or false, not a number/],
    ['tagSerials', '', /an array of at most 100 strings/],
    ['tagSerials', 'T1', /an array of at most 100 strings/],
    ['tagSerials', [''], /strings of 1 to 64 characters/],
    ['tagSerials', [7], /an array of at most 100 strings/],
    ['tagSerials', [null], /an array of at most 100 strings/],
    ['tagSerials', Array.from({ length: 101 }, (_, index) => `T${index}`), /at most 100/],
    ['organizationSerial', 'a'.repeat(65), /1 to 64 characters/],
    ['organizationSerial', '\u0000', /control character U\+0000 \(character 1\)/],
    ['tagSerials', ['T1', 'T\t2'], /control character U\+0009 \(tag 2, character 2\)/],
  ])('%s: %j', async (field, value, detail) => {
    const reply = await refusedPatch(await service.givenUser(), { [field]: value });
    expectFailure(reply, 400, 10107, 'USER_FIELD_INVALID', detail);
    expect(reply.json.detail).toMatch(new RegExp(`^"${field}" must `));
  });
});

describe('PATCH /service/users/{serial} rejects a body that is not an object', () => {
  test.each([
    ['[]', /not an array/],
    ['null', /not null/],
    ['"name"', /not a string/],
    ['7', /not a number/],
    ['true', /not a boolean/],
  ])('%s', async (rawBody, detail) => {
    const { serial } = await service.givenUser();
    const reply = await service.request('PATCH', `/service/users/${serial}`, { rawBody });
    expectFailure(reply, 400, 10105, 'USER_NOT_AN_OBJECT', detail);
  });
});

describe('PATCH /service/users/{serial} rejects names of other users', () => {
  test('a taken employee ID with 10101', async () => {
    const [user, other] = [await service.givenUser(), await service.givenUser()];
    const reply = await refusedPatch(user, { employeeID: other.employeeID });
    const detail = new RegExp(
      `"${other.employeeID}" is already taken by another user with the serial ${other.serial}\\.$`,
    );
    expectFailure(reply, 409, 10101, 'USER_EMPLOYEE_ID_EXISTS', detail);
  });

  test('a username taken in another case with 10103', async () => {
    const username = newId('ada');
    const { serial } = await service.givenUser({ username });
    const user = await service.givenUser();
    const wanted = username.toUpperCase();
    const reply = await refusedPatch(user, { username: wanted });
    const detail = new RegExp(`"${wanted}" is already taken by another user with the serial ${serial}\\.$`);
    expectFailure(reply, 409, 10103, 'USER_USERNAME_EXISTS', detail);
  });
});

describe('PATCH /service/users/{serial} rejects removing all contacts', () => {
  test.each([
    ['email', { email: 'ada@example.com' }],
    ['phone', { email: undefined, phone: '+1 202 555 0147' }],
  ])('by clearing the only contact, %s, with 10104', async (field, contact) => {
    const reply = await refusedPatch(await service.givenUser(contact), { [field]: null });
    expectFailure(reply, 400, 10104, 'USER_CONTACT_REQUIRED', /neither an email address nor a phone number/);
  });

  test('by clearing both at once', async () => {
    const user = await service.givenUser({ phone: '+1 202 555 0147' });
    const reply = await refusedPatch(user, { email: null, phone: '' });
    expectFailure(reply, 400, 10104, 'USER_CONTACT_REQUIRED', /neither an email address nor a phone number/);
  });
});

describe('PATCH /service/users/{serial} fails with 404 and 10102 for', () => {
  test.each([nobody, 'somebody', '1', '%00', 'a'.repeat(500)])('the serial %s', async (serial) => {
    const reply = await patch(serial, { name: 'Ada King' });
    expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /No user has this serial/);
  });
});

describe('If-Match', () => {
  test.each([
    ['an outdated ETag', (etag: string) => etag],
    ['a list of outdated ETags', (etag: string) => `${etag}, "0"`],
    ['an ETag that never existed', () => '"never"'],
    ['a weak ETag', () => 'W/"2"'],
    ['an ETag without quotes', () => '2'],
  ])('with %s fails with 412', async (_, headerFor) => {
    const user = await service.givenUser();
    const old = (await service.get(`/service/users/${user.serial}`)).headers.get('etag') ?? '';
    await patch(user.serial, { name: 'Ada King' });
    const reply = await refusedPatch(user, { name: 'Ada Byron' }, { 'if-match': headerFor(old) });
    expectFailure(reply, 412, 10011, 'REQUEST_PRECONDITION_FAILED', /Read it again/);
  });

  test('with an outdated ETag fails with 412 even if the patch would change nothing', async () => {
    const user = await service.givenUser();
    const reply = await refusedPatch(user, {}, { 'if-match': '"0"' });
    expectFailure(reply, 412, 10011, 'REQUEST_PRECONDITION_FAILED', /changed since you read it/);
  });

  test('with * does not create an unknown user', async () => {
    const reply = await patch(nobody, { name: 'Ada King' }, { 'if-match': '*' });
    expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /No user/);
  });
});

describe('the first failing check decides: fields, user, version, employee ID, username, contact', () => {
  interface Faults {
    readonly field?: boolean;
    readonly user?: boolean;
    readonly version?: boolean;
    readonly employeeID?: boolean;
    readonly username?: boolean;
  }

  /** A patch with the given faults that would also leave the user without a contact. */
  async function faultyPatch(faults: Faults): Promise<Reply> {
    const user = await service.givenUser();
    const other = await service.givenUser({ username: newId('u') });
    const body = {
      ...(faults.field ? { isActive: 'yes' } : {}),
      ...(faults.employeeID ? { employeeID: other.employeeID } : {}),
      ...(faults.username ? { username: other.username } : {}),
      email: null,
    };
    return patch(faults.user ? nobody : user.serial, body, faults.version ? { 'if-match': '"0"' } : {});
  }

  test.each([
    [10107, { field: true, user: true, version: true, employeeID: true, username: true }],
    [10102, { user: true, version: true, employeeID: true, username: true }],
    [10011, { version: true, employeeID: true, username: true }],
    [10101, { employeeID: true, username: true }],
    [10103, { username: true }],
    [10104, {}],
  ])('%i comes before the following ones', async (errorCode, faults) => {
    expect((await faultyPatch(faults)).json.errorCode).toBe(errorCode);
  });

  test('fields are checked in contract order, after unknown ones', async () => {
    const user = await service.givenUser();
    const wrong = { isActive: 'yes', phone: 7, name: 7 };
    expect((await patch(user.serial, { ...wrong, colour: 1 })).json.detail).toMatch(/^"colour"/);
    expect((await patch(user.serial, wrong)).json.detail).toMatch(/^"name"/);
    expect((await patch(user.serial, { ...wrong, name: 'A' })).json.detail).toMatch(/^"phone"/);
  });

  test('a taken employee ID comes before a taken username if a contact remains', async () => {
    const user = await service.givenUser();
    const other = await service.givenUser({ username: newId('u') });
    const reply = await refusedPatch(user, { username: other.username, employeeID: other.employeeID });
    expectFailure(reply, 409, 10101, 'USER_EMPLOYEE_ID_EXISTS', /is already taken/);
  });
});
