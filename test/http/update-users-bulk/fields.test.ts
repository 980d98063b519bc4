import { describe, expect, test } from 'vitest';
import { expectReport } from '../../support/bulk-reports.js';
import {
  acceptedByAll,
  emptyRequired,
  oddTags,
  refusedByBulkUpdate,
  unknownFields,
  withField,
} from '../../support/field-samples.js';
import { anItem, type GivenUser, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  fieldInvalid,
  fieldNotAccepted,
  fieldRequired,
  userNotFound,
} from '../../support/user-failures.js';

const service = useService();
const path = '/service/users/update-bulk';

/** A user with a value in every field that can be cleared. */
const fullUser = () =>
  service.givenUser({
    username: newId(),
    phone: '911',
    tagSerials: ['T1', 'T2'],
    organizationSerial: 'ORG7',
  });

async function versionOf(user: GivenUser) {
  const { headers, json } = await service.get(`/service/users/${user.serial}`);
  return { etag: headers.get('etag'), updatedAt: json.data.updatedAt };
}

describe('a bulk update accepts', () => {
  test.each(acceptedByAll)('$field: $why', async ({ field, value, stored }) => {
    const user = await service.givenUser({ isActive: value !== true });
    const reply = await service.updateBulk([anItem(user, { [field]: value })]);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect((await service.readUser(user.serial))[field]).toEqual(stored);
  });

  test.each([
    ['newEmployeeID', 'employeeID'],
    ['username', 'username'],
  ])('%s: 64 characters, with their case preserved', async (field, shown) => {
    const user = await service.givenUser();
    const longest = newId('aZ09').padEnd(64, 'xY');
    await service.updateBulk([anItem(user, { [field]: longest })]);
    expect((await service.readUser(user.serial))[shown]).toBe(longest);
  });

  test('unusual tags of several users, which stay separate', async () => {
    const users = await Promise.all(oddTags.map(() => service.givenUser()));
    const lists = oddTags.map((tag, index) => [tag, ...oddTags.slice(0, index)].reverse());
    await service.updateBulk(users.map((user, index) => anItem(user, { tagSerials: lists[index] })));
    const read = await Promise.all(users.map((user) => service.readUser(user.serial)));
    expect(read.map((user) => user.tagSerials)).toEqual(lists.map((list) => [...new Set(list)]));
  });
});

describe('an item of a bulk update keeps, sets and clears fields', () => {
  test('an omitted field is kept', async () => {
    const user = await fullUser();
    const before = await service.readUser(user.serial);
    await service.updateBulk([anItem(user, { name: 'Ada King' })]);
    expect(await service.readUser(user.serial)).toEqual({
      ...before,
      name: 'Ada King',
      updatedAt: expect.any(String),
    });
  });

  test('null keeps a field, like leaving it out', async () => {
    const user = await fullUser();
    const before = await versionOf(user);
    const nulls = {
      newEmployeeID: null,
      username: null,
      phone: null,
      tagSerials: null,
      organizationSerial: null,
    };
    const reply = await service.updateBulk([anItem(user, nulls)]);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect(await versionOf(user)).toEqual(before);
  });

  test.each([
    ['username', '', null, ''],
    ['phone', '', null, ''],
    ['phone', ' ', null, ''],
    ['organizationSerial', '', null, ''],
    ['tagSerials', [], [], ''],
    ['username', null, null, '?nulls=clear'],
    ['phone', null, null, '?nulls=clear'],
    ['organizationSerial', null, null, '?nulls=clear'],
    ['tagSerials', null, [], '?nulls=clear'],
    ['tagSerials', [], [], '?nulls=clear'],
  ])('%s is cleared by %j, and nothing else is (%4$s)', async (field, empty, cleared, query) => {
    const user = await fullUser();
    const before = await service.readUser(user.serial);
    const reply = await service.updateBulk([anItem(user, { [field]: empty })], query);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect(await service.readUser(user.serial)).toEqual({
      ...before,
      [field]: cleared,
      updatedAt: expect.any(String),
    });
  });

  test('an empty field can be cleared again', async () => {
    const user = await service.givenUser();
    const item = anItem(user, { username: '', phone: '', tagSerials: [], organizationSerial: '' });
    expectReport(await service.updateBulk([item]), { serials: [user.serial], errors: [] });
  });

  test('name and isActive are always set', async () => {
    const user = await service.givenUser({ isActive: true });
    await service.updateBulk([{ employeeID: user.employeeID, name: 'Ada King', isActive: false }]);
    expect(await service.readUser(user.serial)).toMatchObject({ name: 'Ada King', isActive: false });
  });

  test('unusual tags survive an update without tags', async () => {
    const user = await service.givenUser({ tagSerials: oddTags });
    await service.updateBulk([anItem(user, { name: 'Ada King' })]);
    expect(await service.readUser(user.serial)).toMatchObject({ name: 'Ada King', tagSerials: oddTags });
  });

  test.each([
    ['absent', undefined, ''],
    ['null', null, ''],
    ['null', null, '?nulls=clear'],
    ['empty', '', ''],
  ])('newEmployeeID %s does not rename', async (_, newEmployeeID, query) => {
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem(user, { newEmployeeID })], query);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect(await service.readUser(user.serial)).toMatchObject({ employeeID: user.employeeID });
  });

  test('newEmployeeID equal to the current one does not rename', async () => {
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem(user, { newEmployeeID: user.employeeID, name: 'King' })]);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect(await service.readUser(user.serial)).toMatchObject({ employeeID: user.employeeID, name: 'King' });
  });

  test('a phone cannot be cleared on a user without an email address', async () => {
    const user = await service.givenUser({ email: null, phone: '911' });
    const items = [null, ''].map((phone) => anItem(user, { phone, name: 'Never' }));
    const reply = await service.updateBulk(items, '?nulls=clear');
    expectReport(reply, {
      serials: [],
      errors: [contactRequired('items[0]: '), contactRequired('neither an email address nor a phone number')],
    });
    expect(await service.readUser(user.serial)).toMatchObject({ phone: '911', name: user.name });
  });

  test('a phone can be replaced on a user without an email address', async () => {
    const user = await service.givenUser({ email: null, phone: '911' });
    await service.updateBulk([anItem(user, { phone: '112' })]);
    expect(await service.readUser(user.serial)).toMatchObject({ email: null, phone: '112' });
  });
});

describe('the version of a user', () => {
  test('changes with an effective update, and updatedAt never goes back', async () => {
    const user = await fullUser();
    const before = await versionOf(user);
    await service.updateBulk([anItem(user, { name: 'Ada King' })]);
    const { etag, updatedAt } = await versionOf(user);
    expect(etag).not.toBe(before.etag);
    expect(updatedAt >= before.updatedAt).toBe(true);
  });

  test.each([
    ['has only the required fields', () => ({})],
    [
      'sends every current value',
      (user: GivenUser) => ({
        newEmployeeID: user.employeeID,
        username: user.username,
        phone: user.phone,
        tagSerials: user.tagSerials,
        organizationSerial: user.organizationSerial,
      }),
    ],
    ['adds white space around the name', (user: GivenUser) => ({ name: ` ${user.name} ` })],
    ['repeats a tag', () => ({ tagSerials: ['T1', 'T2', 'T1'] })],
  ])('is kept, as are ETag and updatedAt, by an update that %s', async (_, overrides) => {
    const user = await fullUser();
    const before = await versionOf(user);
    const reply = await service.updateBulk([anItem(user, overrides(user))]);
    expectReport(reply, { serials: [user.serial], errors: [] });
    expect(await versionOf(user)).toEqual(before);
  });

  test('is kept when unusual tags are resent', async () => {
    const user = await service.givenUser({ tagSerials: oddTags });
    const before = await versionOf(user);
    await service.updateBulk([anItem(user, { tagSerials: oddTags })]);
    expect(await versionOf(user)).toEqual(before);
  });

  test('changes when only the order of tags changes', async () => {
    const user = await fullUser();
    const before = await versionOf(user);
    await service.updateBulk([anItem(user, { tagSerials: ['T2', 'T1'] })]);
    expect((await versionOf(user)).etag).not.toBe(before.etag);
  });

  test('is kept by a failed update', async () => {
    const user = await fullUser();
    const before = await versionOf(user);
    await service.updateBulk([anItem(user, { name: 'Never', username: 'not valid' })]);
    expect(await versionOf(user)).toEqual(before);
  });
});

describe('a bulk update rejects', () => {
  test.each(refusedByBulkUpdate)('$field: $why', async ({ field, value }) => {
    const user = await service.givenUser({ tagSerials: ['T1'] });
    const before = await service.readUser(user.serial);
    const reply = await service.updateBulk([anItem(user, { name: 'Never', [field]: value })]);
    expectReport(reply, { serials: [], errors: [fieldInvalid(`items[0]: "${field}" must `)] });
    expect(await service.readUser(user.serial)).toEqual(before);
  });

  test.each(emptyRequired)('$field, which is required: $why', async ({ field, value }) => {
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem(user, { [field]: value })]);
    expectReport(reply, { serials: [], errors: [fieldRequired(`items[0]: "${field}" is required`)] });
  });

  test.each([
    ['email', 'ada@example.com', ''],
    ['email', '', ''],
    ['email', null, '?nulls=clear'],
    ['password', 'secret', ''],
    ['password', null, '?nulls=clear'],
  ])('%s %j, which only a create accepts, by name', async (field, value, query) => {
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem(user, { [field]: value })], query);
    expectReport(reply, { serials: [], errors: [fieldNotAccepted(`items[0]: "${field}" is not accepted`)] });
  });

  test.each(unknownFields)('the unknown field "%s", by name', async (field) => {
    const user = await service.givenUser();
    const rawBody = `{"items":[${withField(anItem(user), field)}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expectReport(reply, { serials: [], errors: [fieldNotAccepted(`items[0]: "${field}" is not a field`)] });
  });

  test.each([
    ['with the same value', '"name":"Ada","name":"Ada"'],
    ['with another value', '"name":"Ada","name":"Eve"'],
    ['with an escape', '"name":"Ada","n\\u0061me":"Ada"'],
  ])('a repeated field %s, for that item only', async (_, twice) => {
    const [a, b] = [await service.givenUser(), await service.givenUser()];
    const repeated = `{"employeeID":"${a.employeeID}",${twice},"isActive":true}`;
    const rawBody = `{"items":[${repeated},${JSON.stringify(anItem(b))}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expectReport(reply, {
      serials: [b.serial],
      errors: [fieldNotAccepted('items[0]: "name" appears twice')],
    });
    expect(await service.readUser(a.serial)).toMatchObject({ name: a.name });
  });

  test('several repeated fields, naming the first', async () => {
    const user = await service.givenUser();
    const rawBody = `{"items":[{"employeeID":"${user.employeeID}","name":"A","name":"A","isActive":true,"isActive":true}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expectReport(reply, { serials: [], errors: [fieldNotAccepted('items[0]: "name" appears twice')] });
  });

  test('but not a field that appears in two items', async () => {
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem(user), anItem(user)]);
    expectReport(reply, { serials: [user.serial, user.serial], errors: [] });
  });

  test('an employee ID in another case, which matches no user', async () => {
    const user = await service.givenUser({ employeeID: newId('abc').toLowerCase() });
    const other = user.employeeID.toUpperCase();
    const reply = await service.updateBulk([anItem({ ...user, employeeID: other })]);
    expectReport(reply, { serials: [], errors: [userNotFound(`no user has the employee ID "${other}"`)] });
  });

  test('a serial instead of the employee ID', async () => {
    const user = await service.givenUser();
    const reply = await service.updateBulk([anItem({ ...user, employeeID: user.serial })]);
    expectReport(reply, { serials: [], errors: [fieldInvalid('items[0]: "employeeID" must be ')] });
  });
});
