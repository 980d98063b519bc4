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

// Every rule of every field is tested in test/unit/user-rules.test.ts.
describe('PATCH /service/users/{serial} rejects', () => {
  test('what breaks the rule of a field, even next to a valid one', async () => {
    const user = await service.givenUser();
    const invalid = await refusedPatch(user, { name: 'Ada King', phone: 7 });
    expectFailure(invalid, 400, 10107, 'USER_FIELD_INVALID', /^"phone" must be .*, not a number\.$/);
    const cleared = await refusedPatch(user, { name: null });
    expectFailure(cleared, 400, 10106, 'USER_FIELD_REQUIRED', /^"name" is required\./);
    const stray = await refusedPatch(user, { name: 'Ada King', serial: user.serial });
    expectFailure(stray, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', /^"serial" is not a field/);
    const array = await refusedPatch(user, []);
    expectFailure(array, 400, 10105, 'USER_NOT_AN_OBJECT', /not an array/);
    const repeated = await service.request('PATCH', `/service/users/${user.serial}`, {
      rawBody: '{"name": "A", "name": "B"}',
    });
    expectFailure(repeated, 400, 10108, 'USER_FIELD_NOT_ACCEPTED', /"name" appears twice/);
  });

  test('names of other users, usernames in any case', async () => {
    const user = await service.givenUser();
    const { serial, employeeID, username } = await service.givenUser({ username: newId('ada') });
    const taken = (name: string) =>
      new RegExp(`"${name}" is already taken by another user with the serial ${serial}\\.$`);
    const byId = await refusedPatch(user, { employeeID });
    expectFailure(byId, 409, 10101, 'USER_EMPLOYEE_ID_EXISTS', taken(employeeID));
    const wanted = String(username).toUpperCase();
    const byUsername = await refusedPatch(user, { username: wanted });
    expectFailure(byUsername, 409, 10103, 'USER_USERNAME_EXISTS', taken(wanted));
  });

  test.each([
    ['the only email address', { email: 'ada@example.com' }, { email: null }],
    ['the only phone number', { email: undefined, phone: '911' }, { phone: null }],
    ['both contacts', { phone: '911' }, { email: null, phone: '' }],
  ])('clearing %s, with 10104', async (_, contact, body) => {
    const reply = await refusedPatch(await service.givenUser(contact), body);
    expectFailure(reply, 400, 10104, 'USER_CONTACT_REQUIRED', /neither an email address nor a phone number/);
  });

  test('a serial that no user has, with 404 and 10102', async () => {
    for (const serial of [nobody, 'somebody', '%00', 'a'.repeat(500)]) {
      const reply = await patch(serial, { name: 'Ada King' }, { 'if-match': '*' });
      expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /No user has this serial/);
    }
  });

  test('an outdated ETag with 412, even if the patch would change nothing', async () => {
    const user = await service.givenUser();
    const old = (await service.get(`/service/users/${user.serial}`)).headers.get('etag') ?? '';
    await patch(user.serial, { name: 'Ada King' });
    for (const body of [{ name: 'Ada Byron' }, {}]) {
      const reply = await refusedPatch(user, body, { 'if-match': `${old}, "0"` });
      expectFailure(
        reply,
        412,
        10011,
        'REQUEST_PRECONDITION_FAILED',
        /changed since you read it.*Read it again/,
      );
    }
  });
});

test('the first failing check decides: fields, user, version, employee ID, username, contact', async () => {
  const user = await service.givenUser();
  const other = await service.givenUser({ username: newId('u') });
  // Each fault comes with all that are checked later.
  const faults = [
    { errorCode: 10104, body: { email: null } },
    { errorCode: 10103, body: { username: other.username } },
    { errorCode: 10101, body: { employeeID: other.employeeID } },
    { errorCode: 10011, headers: { 'if-match': '"0"' } },
    { errorCode: 10102, serial: nobody },
    { errorCode: 10107, body: { isActive: 'yes' } },
  ];
  let [serial, body, headers]: [string, object, Record<string, string>] = [user.serial, {}, {}];
  for (const { errorCode, ...fault } of faults) {
    serial = fault.serial ?? serial;
    body = { ...body, ...fault.body };
    headers = { ...headers, ...(fault.headers as Record<string, string> | undefined) };
    expect((await patch(serial, body, headers)).json.errorCode).toBe(errorCode);
  }
});
