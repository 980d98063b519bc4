import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { addApp, addPasskey, passkeySite } from '../../support/second-factors.js';
import { useOwnService } from '../../support/service.js';
import { proveLongAgo } from '../../support/sessions.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';

describe('for everyone', () => {
  const service = useOwnService({ ROLLCALL_SECOND_FACTOR: 'everyone', ...passkeySite.settings });

  test('a user without a factor adds one before anything else, after their initial password', async () => {
    const { token, password } = await givenNewcomer(service);
    const chosen = { currentPassword: password, newPassword: 'orange bicycles at noon' };
    expect((await service.get('/service/me/factors', { token })).json.errorCode).toBe(10211);
    const changed = await service.post('/service/auth/change-password', chosen, { token });
    const session = changed.json.data.accessToken;
    const blocked = await service.get('/service/me/profile', { token: session });
    expectFailure(blocked, 403, 10235, 'ACCESS_FACTOR_REQUIRED', /^Your company requires a second factor/);
    expect(blocked.json.data).toEqual({ secondFactor: 'enrol' });
    expect((await service.get('/service/auth/me', { token: session })).json.data.secondFactor).toBe('enrol');
    const added = await addApp(service, session);
    expect(added.recoveryCodes).toHaveLength(10);
    expect((await service.get('/service/me/profile', { token: added.token })).status).toBe(200);
    const last = await service.request('DELETE', `/service/me/factors/${added.factorId}`, {
      token: added.token,
    });
    expectFailure(last, 409, 10242, 'ACCESS_FACTOR_LAST', /^Your company requires/);
  });

  test('whoever finds a session that waits for a factor cannot add their own', async () => {
    const { token, password } = await givenSignedInUser(service);
    await proveLongAgo(service, token);
    const start = (by: string) => service.post('/service/me/factors/totp', { name: 'Phone' }, { token: by });
    expectFailure(await start(token), 401, 10233, 'ACCESS_PROOF_REQUIRED', /^Prove again who you are/);
    const proven = await service.post('/service/auth/prove', { password }, { token });
    expect((await start(proven.json.data.accessToken)).status).toBe(201);
  });

  test('a passkey does it as well, and further ones can be removed', async () => {
    const user = await givenSignedInUser(service);
    const first = await addPasskey(service, user.token);
    const second = await addPasskey(service, first.token);
    expect(second.reply.json.data.recoveryCodes).toBeNull();
    const { id } = second.reply.json.data.factor;
    const removed = await service.request('DELETE', `/service/me/factors/${id}`, { token: second.token });
    expect(removed.status).toBe(200);
  });
});

describe('for roles', () => {
  const service = useOwnService({ ROLLCALL_SECOND_FACTOR: 'roles' });

  test('only users with a role have to add one', async () => {
    const plain = await givenSignedInUser(service);
    expect((await service.get('/service/me/profile', { token: plain.token })).status).toBe(200);
    const { token } = await givenSignedInUser(service, 'operator');
    expect((await service.get('/service/users', { token })).json.data).toEqual({ secondFactor: 'enrol' });
  });
});
