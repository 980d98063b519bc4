import { describe, expect, test } from 'vitest';
import { emptyRequired, refusedByCreate, unknownFields, withField } from '../../support/field-samples.js';
import { aUser, newId, useService } from '../../support/service.js';
import { expectRefusal, fieldInvalid, fieldNotAccepted, fieldRequired } from '../../support/user-failures.js';

const service = useService();

describe('POST /service/users rejects', () => {
  test.each(refusedByCreate)('$field: $why', async ({ field, value }) => {
    const reply = await service.post('/service/users', aUser({ [field]: value }));
    expectRefusal(reply, 400, fieldInvalid(`"${field}" must `));
  });

  test.each(emptyRequired)('$field, which is required: $why', async ({ field, value }) => {
    const reply = await service.post('/service/users', aUser({ [field]: value }));
    expectRefusal(reply, 400, fieldRequired(`"${field}" is required`));
  });

  test('newEmployeeID, which only the bulk update accepts, by name', async () => {
    const reply = await service.post('/service/users', aUser({ newEmployeeID: newId() }));
    expectRefusal(reply, 400, fieldNotAccepted('"newEmployeeID" is not accepted'));
  });

  test('newEmployeeID even if it is empty, but not if it is null', async () => {
    const reply = await service.post('/service/users', aUser({ newEmployeeID: '' }));
    expectRefusal(reply, 400, fieldNotAccepted('"newEmployeeID"'));
    expect((await service.post('/service/users', aUser({ newEmployeeID: null }))).status).toBe(201);
  });

  test.each(unknownFields)('the unknown field "%s", by name', async (field) => {
    const rawBody = withField(aUser(), field);
    const reply = await service.post('/service/users', undefined, { rawBody });
    expectRefusal(reply, 400, fieldNotAccepted(`"${field}" is not a field`));
  });

  test('an unknown field unless it is null', async () => {
    const reply = await service.post('/service/users', aUser({ nickname: '' }));
    expectRefusal(reply, 400, fieldNotAccepted('"nickname"'));
    expect((await service.post('/service/users', aUser({ nickname: null }))).status).toBe(201);
  });

  test.each([
    ['control characters', 'nick\u0000\n\u001b[31mname'],
    ['a lone surrogate', 'nick\ud800name'],
    ['emoji cut off at the end of the quoted text', `a${'\u{1f600}'.repeat(40)}`],
    ['thousands of characters', 'n'.repeat(5_000)],
  ])('an unknown field with %s in its name, in a printable detail', async (_, field) => {
    const reply = await service.post('/service/users', undefined, { rawBody: withField(aUser(), field) });
    expectRefusal(reply, 400, fieldNotAccepted('is not a field'));
    expect(reply.json.detail).toMatch(/^[^\p{C}]{1,400}$/u);
  });

  test.each([
    ['with the same value', '"name":"Ada","name":"Ada"'],
    ['with different values', '"name":"Ada","name":"Eve"'],
    ['once with an escape', '"name":"Ada","n\\u0061me":"Ada"'],
  ])('a repeated field %s', async (_, twice) => {
    const rawBody = `{"employeeID":"${newId()}",${twice},"email":"ada@example.com","isActive":true}`;
    const reply = await service.post('/service/users', undefined, { rawBody });
    expectRefusal(reply, 400, fieldNotAccepted('"name" appears twice'));
  });

  test('the first invalid field in contract order, whatever the order sent', async () => {
    const reply = await service.post('/service/users', {
      organizationSerial: 7,
      isActive: 'true',
      phone: 'none',
      name: 7,
      employeeID: newId(),
    });
    expectRefusal(reply, 400, fieldInvalid('"name"'));
  });

  test('a wrong type and names the type sent', async () => {
    const reply = await service.post('/service/users', aUser({ isActive: 1 }));
    expectRefusal(reply, 400, fieldInvalid('a boolean, true or false, not a number'));
  });

  test('a user without reserving the employee ID', async () => {
    const user = aUser({ phone: 'x'.repeat(65) });
    expect((await service.post('/service/users', user)).status).toBe(400);
    expect((await service.post('/service/users', { ...user, phone: '911' })).status).toBe(201);
  });
});
