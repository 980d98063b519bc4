import { expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { proveLongAgo } from '../../support/sessions.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const createClient = (token: string) =>
  service.post('/service/clients', { name: newId('Payroll'), scopes: ['users:read'] }, { token });

test('something sensitive needs a recent proof, after which the session has another token', async () => {
  const { token, password, serial } = await givenSignedInUser(service, 'administrator');
  expect((await createClient(token)).status).toBe(201);
  await proveLongAgo(service, token);
  const asked = await createClient(token);
  expectFailure(asked, 401, 10233, 'ACCESS_PROOF_REQUIRED', /^Prove again who you are/);
  expect(asked.headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_user_authentication", max_age=600',
  );
  expect((await service.get('/service/users', { token })).status).toBe(200);
  expect((await service.request('PATCH', `/service/users/${serial}`, { token, body: {} })).status).toBe(200);

  const prove = (sent: string, by: string) =>
    service.post('/service/auth/prove', { password: sent }, { token: by });
  expectFailure(await prove('wrong', token), 403, 10213, 'ACCESS_PASSWORD_WRONG', /^"password" is not/);
  expectFailure(await createClient(token), 401, 10233, 'ACCESS_PROOF_REQUIRED', /^Prove/);
  const proven = await prove(password, token);
  const { accessToken } = proven.json.data;
  expect((await createClient(accessToken)).status).toBe(201);
  expect((await service.get('/service/auth/me', { token })).status).toBe(401);
});

test('guesses are counted like those at a sign-in', async () => {
  const { token } = await givenSignedInUser(service);
  const guess = () => service.post('/service/auth/prove', { password: 'wrong' }, { token });
  const statuses: number[] = [];
  for (let count = 0; count < 7; count++) statuses.push((await guess()).status);
  expect(statuses).toContain(429);
});

test('clients are not asked', async () => {
  expect((await createClient(service.token)).status).toBe(201);
});
