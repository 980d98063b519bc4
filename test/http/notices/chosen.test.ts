import { describe, expect, test } from 'vitest';
import { newAddress } from '../../support/deliveries.js';
import { erased } from '../../support/erasure.js';
import { expectFailure } from '../../support/expect-failure.js';
import { giveRole } from '../../support/protected-users.js';
import { useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();
const url = '/service/me/notices';
const read = async (token: string) => (await service.get(url, { token })).json.data;
const choose = (token: string, topics: unknown) => service.request('PATCH', url, { token, body: { topics } });

const ofOperators = {
  feedFailed: false,
  feedStopped: true,
  feedDigest: false,
  callApproval: true,
  callDecided: true,
};
const ofAdministrators = {
  ...{ ...ofOperators, feedFailed: true, webhookDisabled: true, backupFailed: true },
  ...{ scimTargetFailing: true, scimDeactivationLimit: true },
};

describe('GET /service/me/notices', () => {
  test.each([
    ['administrator', ofAdministrators],
    ['operator', ofOperators],
    ['viewer', {}],
    [null, {}],
  ] as const)('shows what the role %s gets until its user chooses', async (role, topics) => {
    const email = newAddress();
    const { token } = await givenSignedInUser(service, role, { email });
    expect(await read(token)).toEqual({ topics, email });
  });
});

describe('PATCH /service/me/notices', () => {
  test('changes the topics that are sent, and no others', async () => {
    const { token } = await givenSignedInUser(service, 'operator', { email: null, phone: '+49 30 1234567' });
    const reply = await choose(token, { callApproval: false });
    expect(reply.status).toBe(200);
    expect(reply.json.data).toEqual({ topics: { ...ofOperators, callApproval: false }, email: null });
    await choose(token, { callApproval: true, feedDigest: true });
    expect((await choose(token, {})).json.data.topics).toEqual({ ...ofOperators, feedDigest: true });
    expect((await read(token)).topics).toEqual({ ...ofOperators, feedDigest: true });
  });

  test('is kept for another role, where the others follow their new default', async () => {
    const { serial, username, password, token } = await givenSignedInUser(service, 'operator');
    const chosen = await choose(token, { callApproval: false, backupFailed: false });
    expect(chosen.json.data.topics, 'only those of the role').toEqual({
      ...ofOperators,
      callApproval: false,
    });
    await giveRole(service, serial, 'administrator');
    const again = (await service.signIn(username, password)).json.data.accessToken;
    expect((await read(again)).topics).toEqual({
      ...ofAdministrators,
      callApproval: false,
      backupFailed: false,
    });
  });

  test.each([
    ['an unknown topic', { weather: true }, /^"topics" must be an object with true or false for feedFailed/],
    ['an inherited name', { constructor: true }, /^"topics" must be/],
    ['anything but true and false', { feedFailed: 'yes' }, /^"topics" must be/],
    ['a list', ['feedFailed'], /^"topics" must be/],
    ['null', null, /^"topics" is required/],
  ])('is rejected for %s', async (_, topics, detail) => {
    const { token } = await givenSignedInUser(service, 'operator');
    expectFailure(await choose(token, topics), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    expect((await read(token)).topics).toEqual(ofOperators);
  });

  test('is part of the personal data, and erased with the user', async () => {
    const { serial, token } = await givenSignedInUser(service, 'operator');
    await choose(token, { feedFailed: true });
    const exported = await service.get(`/service/users/${serial}/personal-data`);
    expect(exported.json.data).toMatchObject({ noticeChoices: { feedFailed: true }, notices: [] });
    await erased(service, serial);
    const stored = await service.database.pool.query('SELECT FROM notice_choices WHERE user_serial = $1', [
      serial,
    ]);
    expect(stored.rowCount).toBe(0);
  });
});
