import { describe, expect, test } from 'vitest';
import { acceptedByCreate } from '../../support/field-samples.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

describe('POST /service/users accepts', () => {
  test.each(acceptedByCreate)('$field: $why', async ({ field, value, stored }) => {
    const { serial } = await service.givenUser({ [field]: value });
    expect((await service.readUser(serial))[field]).toEqual(stored);
  });

  test.each(['employeeID', 'username'])('%s: 64 characters, with their case preserved', async (field) => {
    const longest = newId('aZ09').padEnd(64, 'xY');
    const { serial } = await service.givenUser({ [field]: longest });
    expect((await service.readUser(serial))[field]).toBe(longest);
  });

  test.each(['employeeID', 'username'])('%s: one character', async (field) => {
    const { serial } = await service.givenUser({ [field]: 'x' });
    expect((await service.readUser(serial))[field]).toBe('x');
  });

  test('employeeID: only digits, kept as a string with leading zeros', async () => {
    const digits = `00${newId('').replace(/\D/g, '7')}`;
    const { serial } = await service.givenUser({ employeeID: digits });
    expect((await service.readUser(serial)).employeeID).toBe(digits);
  });

  test.each([
    ['1 character', 'x'],
    ['128 characters', 'x'.repeat(128)],
    ['128 emoji, since length counts code points', '\u{1f600}'.repeat(128)],
    ['leading and trailing spaces, which are kept', ' secret '],
  ])('password: %s', async (_, password) => {
    await service.givenUser({ password });
  });

  test('fields in any order', async () => {
    const employeeID = newId();
    const reply = await service.post('/service/users', {
      isActive: true,
      phone: '911',
      name: 'Ada',
      employeeID,
    });
    expect(reply.status).toBe(201);
  });

  test('a body that starts with a byte order mark', async () => {
    const user = { employeeID: newId(), name: 'Ada', phone: '911', isActive: true };
    const reply = await service.post('/service/users', undefined, {
      rawBody: `\ufeff${JSON.stringify(user)}`,
    });
    expect(reply.status).toBe(201);
  });
});
