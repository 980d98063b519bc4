import { expect, test } from 'vitest';
import { aUser, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  expectRefusal,
  fieldInvalid,
  fieldNotAccepted,
} from '../../support/user-failures.js';

const service = useService();

// Every rule of every field is tested in test/unit/user-rules.test.ts.
test('POST /service/users rejects an invalid field and reserves no name', async () => {
  const user = aUser({ phone: 'x'.repeat(256), username: newId('u') });
  const reply = await service.post('/service/users', user);
  expectRefusal(reply, 400, fieldInvalid('"phone" must be a string of 1 to 255 characters'));
  expectRefusal(
    await service.post('/service/users', aUser({ email: '' })),
    400,
    contactRequired('"email" and'),
  );
  expect((await service.post('/service/users', { ...user, phone: '911' })).status).toBe(201);
});

test('POST /service/users rejects a repeated field, also if it is written with an escape', async () => {
  const rawBody = `{"employeeID":"${newId()}","name":"Ada","n\\u0061me":"Ada","email":"ada@example.com","isActive":true}`;
  const reply = await service.post('/service/users', undefined, { rawBody });
  expectRefusal(reply, 400, fieldNotAccepted('"name" appears twice'));
});
