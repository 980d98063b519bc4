import { describe, expect, test } from 'vitest';
import { errorsOf, expectReport, serialsOf } from '../../support/bulk-reports.js';
import { acceptedByCreate, oddTags } from '../../support/field-samples.js';
import { anItem, aUser, type GivenUser, newId, useService } from '../../support/service.js';
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

// Every rule of every field is tested in test/unit/user-rules.test.ts.
test('a bulk update stores every accepted value, with the tags of each user', async () => {
  const samples = [
    ...acceptedByCreate.filter(({ field }) => field !== 'email'),
    ...oddTags.map((tag, index) => {
      const value = [...new Set([tag, ...oddTags.slice(0, index)])].reverse();
      return { field: 'tagSerials', value, stored: value };
    }),
  ];
  const users = samples.map(({ value }) => aUser({ isActive: value !== true }));
  await service.createBulk(users);
  const items = users.map((user, at) => anItem(user, { [samples[at]?.field ?? '']: samples[at]?.value }));
  expect(errorsOf(await service.updateBulk(items))).toEqual([]);
  const employeeIDs = users.map(({ employeeID }) => employeeID);
  const read = (await service.post('/service/users/lookup', { employeeIDs })).json.data.items;
  const stored = samples.map((sample) => [sample.field, sample.stored]);
  expect(samples.map(({ field }, at) => [field, read[at][field]])).toEqual(stored);
});

describe('an item of a bulk update keeps, sets and clears fields', () => {
  test('an absent or null field is kept, and an empty one cleared by itself', async () => {
    const user = await fullUser();
    const nulls = {
      newEmployeeID: null,
      username: null,
      phone: null,
      tagSerials: null,
      organizationSerial: null,
    };
    const before = await service.readUser(user.serial);
    await service.updateBulk([anItem(user, { ...nulls, email: null, password: null, name: 'Ada King' })]);
    let expected = { ...before, name: 'Ada King', updatedAt: expect.any(String) };
    expect(await service.readUser(user.serial)).toEqual(expected);
    for (const [field, empty, cleared, query] of [
      ['username', '', null, ''],
      ['phone', ' ', null, ''],
      ['organizationSerial', null, null, '?nulls=clear'],
      ['tagSerials', null, [], '?nulls=clear'],
    ] as const) {
      const item = anItem(user, { name: 'Ada King', [field]: empty });
      expectReport(await service.updateBulk([item], query), { serials: [user.serial], errors: [] });
      expected = { ...expected, [field]: cleared };
      expect(await service.readUser(user.serial)).toEqual(expected);
    }
  });

  test('a phone can be replaced but not cleared on a user without an email address', async () => {
    const user = await service.givenUser({ email: null, phone: '911' });
    const items = [null, '', '112'].map((phone) => anItem(user, { phone, name: `With ${phone}` }));
    const reply = await service.updateBulk(items, '?nulls=clear');
    expectReport(reply, {
      serials: [user.serial],
      errors: [contactRequired('items[0]: '), contactRequired('neither an email address nor a phone number')],
    });
    expect(await service.readUser(user.serial)).toMatchObject({
      email: null,
      phone: '112',
      name: 'With 112',
    });
  });

  test('an item that breaks a rule fails on its own and changes nothing', async () => {
    const [user, other] = [await fullUser(), await service.givenUser({ employeeID: newId('abc') })];
    const before = await service.readUser(user.serial);
    const twice = `{"employeeID":"${user.employeeID}","name":"Ada","n\\u0061me":"Eve","isActive":true}`;
    const items = [
      anItem(user, { name: 'Never', username: 'not valid' }),
      anItem(user, { isActive: null }),
      anItem(user, { email: '' }),
      anItem({ ...other, employeeID: other.employeeID.toUpperCase() }),
      anItem({ ...user, employeeID: user.serial }),
      anItem(other),
      anItem(other),
    ];
    const rawBody = `{"items":[${[twice, ...items.map((item) => JSON.stringify(item))]}]}`;
    expectReport(await service.post(path, undefined, { rawBody }), {
      serials: [other.serial, other.serial],
      errors: [
        fieldNotAccepted('items[0]: "name" appears twice'),
        fieldInvalid('items[1]: "username" must '),
        fieldRequired('items[2]: "isActive" is required'),
        fieldNotAccepted('items[3]: "email" is not accepted'),
        userNotFound(`items[4]: no user has the employee ID "${other.employeeID.toUpperCase()}"`),
        fieldInvalid('items[5]: "employeeID" must be '),
      ],
    });
    expect(await service.readUser(user.serial)).toEqual(before);
  });
});

test('a bulk update ignores parameters, and fields beside its items, that it does not know', async () => {
  const user = await service.givenUser();
  const body = { batch: { size: 1 }, items: [anItem(user, { name: 'Ada King' })], count: 1 };
  const wrong = await service.post(`${path}?api-version=1&dry_run=true`, body);
  expect(wrong.json).toMatchObject({
    errorCode: 10005,
    detail: expect.stringMatching(/^"dry_run" is unknown/),
  });
  expect(await service.readUser(user.serial)).toMatchObject({ name: user.name });
  const reply = await service.post(`${path}?api-version=1&api-version=2`, body);
  expectReport(reply, { serials: [user.serial], errors: [] });
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'Ada King' });
});

describe('the version of a user', () => {
  test('changes with an effective update, and updatedAt never goes back', async () => {
    const user = await fullUser();
    const before = await versionOf(user);
    await service.updateBulk([anItem(user, { tagSerials: ['T2', 'T1'] })]);
    const { etag, updatedAt } = await versionOf(user);
    expect(etag).not.toBe(before.etag);
    expect(updatedAt >= before.updatedAt).toBe(true);
  });

  test('is kept, as are ETag and updatedAt, by updates without effect', async () => {
    const [user, odd] = [await fullUser(), await service.givenUser({ tagSerials: oddTags })];
    const before = [await versionOf(user), await versionOf(odd)];
    const { employeeID: newEmployeeID, username, phone, tagSerials, organizationSerial } = user;
    const reply = await service.updateBulk([
      anItem(user),
      anItem(user, { newEmployeeID, username, phone, tagSerials, organizationSerial }),
      anItem(user, { newEmployeeID: '', name: ` ${user.name} `, tagSerials: ['T1', 'T2', 'T1'] }),
      anItem(odd, { tagSerials: oddTags }),
    ]);
    expect(serialsOf(reply)).toEqual([user.serial, user.serial, user.serial, odd.serial]);
    expect([await versionOf(user), await versionOf(odd)]).toEqual(before);
  });
});
