import { verify } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { errorsOf, payloadsOf, serialsOf } from '../../support/bulk-reports.js';
import {
  acceptedByCreate,
  emptyRequired,
  oddTags,
  refusedByCreate,
  unknownFields,
  withField,
} from '../../support/field-samples.js';
import { aUser, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  fieldInvalid,
  fieldNotAccepted,
  fieldRequired,
} from '../../support/user-failures.js';

const service = useService();
const path = '/service/users/create-bulk';

/** Identifies in a report the sample that an item was made from. */
const whoseName = (index: number) => `Sample ${index}`;

const users = (samples: typeof refusedByCreate) =>
  samples.map(({ field, value }, index) => aUser({ name: whoseName(index), [field]: value }));

describe('an item of a bulk create follows the rules of a single create', () => {
  test('and accepts the same values', async () => {
    const reply = await service.createBulk(users(acceptedByCreate));
    expect(errorsOf(reply)).toEqual([]);
    const read = await Promise.all(serialsOf(reply).map((serial) => service.readUser(serial)));
    expect(read.map((user, index) => user[acceptedByCreate[index]?.field as string])).toEqual(
      acceptedByCreate.map((sample) => sample.stored),
    );
  });

  test('and rejects the same values, each item independently', async () => {
    const reply = await service.createBulk(users(refusedByCreate));
    const taken = new Set(payloadsOf(reply).succeeded.map((payload) => (payload as { name: string }).name));
    expect(refusedByCreate.filter((_, index) => taken.has(whoseName(index)))).toEqual([]);
    expect(errorsOf(reply)).toEqual(
      refusedByCreate.map(({ field }, index) => fieldInvalid(`items[${index}]: "${field}" must `)),
    );
  });

  test('and rejects empty required fields', async () => {
    const reply = await service.createBulk(users(emptyRequired));
    expect(errorsOf(reply)).toEqual(
      emptyRequired.map(({ field }, index) => fieldRequired(`items[${index}]: "${field}" is required`)),
    );
  });

  test('and rejects newEmployeeID and unknown fields by name', async () => {
    const fields = ['newEmployeeID', ...unknownFields];
    const rawBody = `{"items":[${fields.map((field) => withField(aUser(), field))}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(errorsOf(reply)).toEqual(
      fields.map((field, index) => fieldNotAccepted(`items[${index}]: "${field}" is not `)),
    );
  });

  test('and rejects a user with neither email address nor phone number', async () => {
    const empties = [undefined, null, ''];
    const items = empties.flatMap((email) => empties.map((phone) => aUser({ email, phone })));
    const reply = await service.createBulk([...items, aUser({ email: null, phone: '911' })]);
    expect(errorsOf(reply)).toEqual(
      items.map((_, index) => contactRequired(`items[${index}]: "email" and "phone"`)),
    );
    expect(serialsOf(reply)).toHaveLength(1);
  });

  test('and a repeated field fails only that item', async () => {
    const rawBody = `{"items":[${JSON.stringify(aUser())},{"employeeID":"${newId()}","name":"A","n\\u0061me":"B","phone":"911","isActive":true},${JSON.stringify(aUser())}]}`;
    const reply = await service.post(path, undefined, { rawBody });
    expect(errorsOf(reply)).toEqual([fieldNotAccepted('items[1]: "name" appears twice')]);
    expect(serialsOf(reply)).toHaveLength(2);
  });

  test('and unusual tags of several users stay separate', async () => {
    const lists = oddTags.map((_, index) => oddTags.slice(0, index + 1));
    const reply = await service.createBulk(lists.map((tagSerials) => aUser({ tagSerials })));
    const read = await Promise.all(serialsOf(reply).map((serial) => service.readUser(serial)));
    expect(read.map((user) => user.tagSerials)).toEqual(lists);
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
