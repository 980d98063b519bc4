import { describe, expect, test } from 'vitest';
import { useServiceWithMail } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { newId, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();
const spanish = useServiceWithMail({ ROLLCALL_LANGUAGE: 'es' });

const put = (serial: string, body: object, to = service) =>
  to.request('PUT', `/service/users/${serial}/language`, { body });
const read = async (serial: string, from = service) =>
  (await from.get(`/service/users/${serial}/language`)).json.data;

async function mailTo(address: string, count = 1) {
  const received = () => spanish.mail.messages.filter(({ envelope }) => envelope.to.includes(address));
  await expect.poll(() => received().length).toBe(count);
  return received();
}

describe('PUT /service/users/{serial}/language', () => {
  test('decides the language of messages; without one, the installation does', async () => {
    const { service } = spanish;
    const email = `${newId('ada')}@example.com`;
    const { serial } = await service.givenUser({ email });
    const [first] = await mailTo(email);
    expect(first).toMatchObject({ subject: 'Cuenta de Rollcall' });
    expect(await read(serial, service)).toEqual({ serial, language: null, defaultLanguage: 'es' });

    const before = await service.readUser(serial);
    expect((await put(serial, { language: 'de' }, service)).json).toEqual({
      status: 'success',
      message: 'Language set.',
      data: { serial, language: 'de', defaultLanguage: 'es' },
    });
    expect(await service.readUser(serial)).toEqual(before);
    await service.post(`/service/users/${serial}/reset-password`, undefined);
    const [, second] = await mailTo(email, 2);
    expect(second).toMatchObject({ subject: 'Ihr neues Rollcall-Passwort' });
    expect(second?.text).toMatch(/Es ist gültig bis zum \d+\. \p{L}+ \d{4}, \d\d:\d\d Uhr \(UTC\)\./u);
    expect(second?.html).toContain('<html lang="de">');

    const exported = await service.get(`/service/users/${serial}/personal-data`);
    expect(exported.json.data.language).toBe('de');
    await put(serial, { language: null }, service);
    expect(await read(serial, service)).toEqual({ serial, language: null, defaultLanguage: 'es' });
  });

  test('rejects other languages, a missing field and unknown users', async () => {
    const { serial } = await service.givenUser();
    expectFailure(
      await put(serial, { language: 'fr' }),
      400,
      10004,
      'REQUEST_BODY_INVALID',
      /^"language" must be one of en, de, es, or null for the language of the installation\.$/,
    );
    expectFailure(
      await put(serial, {}),
      400,
      10004,
      'REQUEST_BODY_INVALID',
      /^"language" is required\. It must be one of en, de, es, or null/,
    );
    const nobody = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
    expect((await put(nobody, { language: 'de' })).status).toBe(404);
    expect((await service.get(`/service/users/${nobody}/language`)).status).toBe(404);
  });

  test('is gone with the user', async () => {
    const { serial } = await service.givenUser();
    await put(serial, { language: 'de' });
    await service.request('DELETE', `/service/users/${serial}`);
    const { rows } = await service.database.pool.query('SELECT FROM user_languages WHERE user_serial = $1', [
      serial,
    ]);
    expect(rows).toEqual([]);
    expect((await service.get(`/service/users/${serial}/language`)).status).toBe(410);
  });
});

describe('PUT /service/auth/language', () => {
  test('sets the language of the user who signed in, with or without a role', async () => {
    const user = await givenSignedInUser(service, null);
    const body = { language: 'en' };
    const reply = await service.request('PUT', '/service/auth/language', { body, token: user.token });
    expect(reply.json.data).toMatchObject({ serial: user.serial, language: 'en' });
    expect(await read(user.serial)).toMatchObject({ serial: user.serial, language: 'en' });
  });

  test('is not for clients', async () => {
    const reply = await service.request('PUT', '/service/auth/language', { body: { language: 'en' } });
    expect([reply.status, reply.json.errorCode]).toEqual([403, 10214]);
  });
});
