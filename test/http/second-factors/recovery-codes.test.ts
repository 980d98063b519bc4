import { expect, test } from 'vitest';
import { giveCode, givenUserWithApp, signInByPassword } from '../../support/second-factors.js';
import { useService } from '../../support/service.js';

const service = useService();

test('a recovery code works once in place of a factor, however it is typed, and the user is told', async () => {
  const user = await givenUserWithApp(service);
  const [code = ''] = user.recoveryCodes;
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
  const typed = code.toLowerCase().replaceAll('-', ' ');
  const given = await giveCode(service, await signInByPassword(service, user), typed);
  expect(given.status).toBe(200);
  const { accessToken: token } = given.json.data;
  expect((await service.get('/service/me/factors', { token })).json.data.recoveryCodesLeft).toBe(9);
  expect((await giveCode(service, await signInByPassword(service, user), code)).status).toBe(403);
  const { rows } = await service.database.pool.query(
    `SELECT changed FROM deliveries WHERE user_serial = $1 AND kind = 'account-changed' ORDER BY id`,
    [user.serial],
  );
  expect(rows.map(({ changed }) => changed)).toEqual(
    expect.arrayContaining(['factorAdded', 'recoveryCodeUsed']),
  );
});

test('one that is sent twice at once works once', async () => {
  const user = await givenUserWithApp(service);
  const [code = ''] = user.recoveryCodes;
  const tokens = [await signInByPassword(service, user), await signInByPassword(service, user)];
  const replies = await Promise.all(tokens.map((token) => giveCode(service, token, code)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
});

test('new codes end the old ones', async () => {
  const user = await givenUserWithApp(service);
  const renewed = await service.post('/service/me/factors/recovery-codes', undefined, { token: user.token });
  expect(renewed.status).toBe(201);
  const { recoveryCodes } = renewed.json.data;
  expect(recoveryCodes).toHaveLength(10);
  const token = await signInByPassword(service, user);
  expect((await giveCode(service, token, user.recoveryCodes[1] as string)).status).toBe(403);
  expect((await giveCode(service, token, recoveryCodes[1])).status).toBe(200);
});

test('codes and secrets are stored neither in plain text nor in the record', async () => {
  const user = await givenUserWithApp(service);
  const { rows } = await service.database.pool.query(
    `SELECT row_to_json(f)::text AS text FROM factors f WHERE user_serial = $1
     UNION ALL SELECT row_to_json(c)::text FROM recovery_codes c WHERE user_serial = $1
     UNION ALL SELECT row_to_json(e)::text FROM access_events e WHERE user_serial = $1`,
    [user.serial],
  );
  const stored = rows.map(({ text }) => text).join('\n');
  for (const code of user.recoveryCodes) {
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(code.replaceAll('-', ''));
  }
});
