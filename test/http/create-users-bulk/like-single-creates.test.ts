import { verify } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { errorsOf, serialsOf } from '../../support/bulk-reports.js';
import { acceptedByCreate, oddTags } from '../../support/field-samples.js';
import { aUser, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  fieldInvalid,
  fieldNotAccepted,
  fieldRequired,
} from '../../support/user-failures.js';

const service = useService();

// Every rule of every field is tested in test/unit/user-rules.test.ts.
describe('an item of a bulk create follows the rules of a single create', () => {
  test('and every accepted value is stored, with the tags of each user', async () => {
    const tagLists = oddTags.map((_, index) => oddTags.slice(0, index + 1));
    const users = [
      ...acceptedByCreate.map(({ field, value }) => aUser({ [field]: value })),
      ...tagLists.map((tagSerials) => aUser({ tagSerials })),
    ];
    const reply = await service.createBulk(users);
    expect(errorsOf(reply)).toEqual([]);
    const employeeIDs = users.map(({ employeeID }) => employeeID);
    const { items } = (await service.post('/service/users/lookup', { employeeIDs })).json.data;
    const samples = acceptedByCreate.map(({ field, stored }) => [field, stored]);
    expect(samples.map(([field], index) => [field, items[index][field as string]])).toEqual(samples);
    const tags = items.slice(samples.length).map(({ tagSerials }: { tagSerials: string[] }) => tagSerials);
    expect(tags).toEqual(tagLists);
  });

  test('and each item that breaks one fails on its own', async () => {
    const twice = `{"employeeID":"${newId()}","name":"A","n\\u0061me":"B","phone":"911","isActive":true}`;
    const items = [
      aUser({ isActive: 'yes' }),
      aUser({ name: '' }),
      aUser({ newEmployeeID: 'E1' }),
      aUser({ email: null }),
      aUser(),
    ];
    const rawBody = `{"items":[${[twice, ...items.map((item) => JSON.stringify(item))]}]}`;
    const reply = await service.post('/service/users/create-bulk', undefined, { rawBody });
    expect(errorsOf(reply)).toEqual([
      fieldNotAccepted('items[0]: "name" appears twice'),
      fieldInvalid('items[1]: "isActive" must '),
      fieldRequired('items[2]: "name" is required'),
      fieldNotAccepted('items[3]: "newEmployeeID" is not accepted'),
      contactRequired('items[4]: "email" and "phone"'),
    ]);
    expect(serialsOf(reply)).toHaveLength(1);
  });

  test('and each password is hashed for its own user only', async () => {
    const passwords = ['first secret', null, 'second secret'];
    const reply = await service.createBulk([7, ...passwords.map((password) => aUser({ password }))]);
    const serials = serialsOf(reply);
    const { rows } = await service.database.pool.query(
      'SELECT user_serial, password_hash FROM credentials WHERE user_serial = ANY ($1::uuid[]) ORDER BY user_serial',
      [serials],
    );
    expect(rows.map((row) => row.user_serial)).toEqual([serials[0], serials[2]]);
    expect(await verify(rows[0].password_hash, 'first secret')).toBe(true);
    expect(await verify(rows[1].password_hash, 'second secret')).toBe(true);
  });
});
