import { describe, expect, test } from 'vitest';
import { aUser, useService } from '../../support/service.js';
import { contactRequired, expectRefusal } from '../../support/user-failures.js';

const service = useService();

const email = 'ada@example.com';
const phone = '+44 20 7946 0958';
const empties = [undefined, null, ''];

describe('the contact in POST /service/users', () => {
  test.each(empties)('is complete with email alone when phone is %j', async (empty) => {
    const { serial } = await service.givenUser({ email, phone: empty });
    expect(await service.readUser(serial)).toMatchObject({ email, phone: null });
  });

  test.each(empties)('is complete with phone alone when email is %j', async (empty) => {
    const { serial } = await service.givenUser({ email: empty, phone });
    expect(await service.readUser(serial)).toMatchObject({ email: null, phone });
  });

  test('may have both', async () => {
    const { serial } = await service.givenUser({ email, phone });
    expect(await service.readUser(serial)).toMatchObject({ email, phone });
  });

  test.each(empties.flatMap((noEmail) => empties.map((noPhone) => [noEmail, noPhone])))(
    'is required: email %j and phone %j fail',
    async (noEmail, noPhone) => {
      const reply = await service.post('/service/users', aUser({ email: noEmail, phone: noPhone }));
      expectRefusal(reply, 400, contactRequired('"email" and "phone"'));
    },
  );

  test('need not be unique, since families and shifts share one', async () => {
    await service.givenUser({ email, phone });
    await service.givenUser({ email, phone });
  });
});
