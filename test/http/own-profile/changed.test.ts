import { describe, expect, test } from 'vitest';
import { allDeliveriesOf, useServiceWithMail } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenApplication, givenTokens, providerSettings, userinfo } from '../../support/relying-party.js';
import { newId } from '../../support/service.js';
import { proveLongAgo } from '../../support/sessions.js';
import { givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';

const { service, mail, gateway } = useServiceWithMail(
  { ROLLCALL_USER_EDITABLE_FIELDS: 'email, phone', ...providerSettings },
  { hasGateway: true },
);

const url = '/service/me/profile';
const change = ({ token }: SignedInUser, body: object) => service.request('PATCH', url, { body, token });
const confirm = ({ token }: SignedInUser, field: string, code: string) =>
  service.post(`${url}/confirm`, { field, code }, { token });
const profileOf = async ({ token }: SignedInUser) => (await service.get(url, { token })).json.data;
const newAddress = () => `${newId('new')}@example.org`;

/** The code in the newest message to an address. */
async function codeSentTo(address: string, count = 1): Promise<string> {
  const received = () => mail.messages.filter(({ envelope }) => envelope.to.includes(address));
  await expect.poll(() => received().length).toBe(count);
  return /^\d{8}$/m.exec(received().at(-1)?.text ?? '')?.[0] ?? '';
}

describe('a new email', () => {
  test('is stored once its owner has entered the code, and the old address is told', async () => {
    const user = await givenSignedInUser(service);
    const email = newAddress();
    const before = await profileOf(user);
    const asked = await change(user, { email });
    expect(asked.status).toBe(200);
    expect(asked.json.data.user).toEqual(before.user);
    expect(asked.json.data.confirmations).toEqual([{ field: 'email', value: email, expiresAt: null }]);
    const code = await codeSentTo(email);
    const confirmed = await confirm(user, 'email', `${code.slice(0, 4)} ${code.slice(4)}`);
    expect(confirmed.json.data).toMatchObject({ user: { email }, confirmations: [] });
    const told = () =>
      mail.messages
        .filter(({ envelope }) => envelope.to.includes(before.user.email))
        .map(({ subject }) => subject);
    await expect.poll(told).toContain('Your Rollcall account was changed');
    expectFailure(await confirm(user, 'email', code), 403, 10266, 'ACCESS_CODE_WRONG', /^The code is wrong/);
    const [latest] = (await service.get('/service/me/history?limit=1', user)).json.data.items;
    expect(latest).toMatchObject({
      by: 'self',
      fields: { email: { before: before.user.email, after: email } },
    });
  });

  test('is a verified one for applications, until somebody else changes it', async () => {
    const user = await givenSignedInUser(service);
    const application = await givenApplication(service);
    const tokens = await givenTokens(service, application, user, { scope: 'openid email' });
    const claims = async () => (await userinfo(service, tokens.access_token)).json;
    expect(await claims()).toMatchObject({ email_verified: false });
    const email = newAddress();
    await change(user, { email });
    await confirm(user, 'email', await codeSentTo(email));
    expect(await claims()).toMatchObject({ email, email_verified: true });
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { email: newAddress() } });
    expect(await claims()).toMatchObject({ email_verified: false });
  });

  test('allows five guesses, also in parallel, and a new code allows five more', async () => {
    const user = await givenSignedInUser(service);
    const email = newAddress();
    await change(user, { email });
    const code = await codeSentTo(email);
    const wrong = code === '00000000' ? '11111111' : '00000000';
    const guesses = await Promise.all(Array.from({ length: 8 }, () => confirm(user, 'email', wrong)));
    expect(guesses.map(({ json }) => json.data.attemptsLeft).sort()).toEqual([0, 0, 0, 0, 1, 2, 3, 4]);
    expect((await confirm(user, 'email', code)).status).toBe(403);
    expect((await profileOf(user)).confirmations).toEqual([]);
    await change(user, { email });
    expect((await confirm(user, 'email', await codeSentTo(email, 2))).json.data.user.email).toBe(email);
  });

  test('is confirmed neither with the code of a replaced or withdrawn one, nor by somebody else', async () => {
    const [user, other] = [await givenSignedInUser(service), await givenSignedInUser(service)];
    const [first, second] = [newAddress(), newAddress()];
    await change(user, { email: first });
    const firstCode = await codeSentTo(first);
    expect((await confirm(other, 'email', firstCode)).status).toBe(403);
    await change(user, { email: second });
    const secondCode = await codeSentTo(second);
    if (firstCode !== secondCode) expect((await confirm(user, 'email', firstCode)).status).toBe(403);
    expect((await service.request('DELETE', `${url}/email`, user)).status).toBe(200);
    expect((await confirm(user, 'email', secondCode)).json.data.attemptsLeft).toBe(0);
    expect((await profileOf(user)).confirmations).toEqual([]);
  });

  test('expires with its code', async () => {
    const user = await givenSignedInUser(service);
    const email = newAddress();
    await change(user, { email });
    const code = await codeSentTo(email);
    await service.database.pool.query(
      "UPDATE contact_confirmations SET expires_at = now() - interval '1 second' WHERE user_serial = $1",
      [user.serial],
    );
    expect((await confirm(user, 'email', code)).json.data.attemptsLeft).toBe(0);
  });

  test('is sent at most ten codes a day', async () => {
    const user = await givenSignedInUser(service);
    for (let sent = 0; sent < 10; sent++)
      expect((await change(user, { email: newAddress() })).status).toBe(200);
    const refused = await change(user, { email: newAddress() });
    expectFailure(refused, 429, 10267, 'ACCESS_CODES_EXHAUSTED', /10 codes within a day/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect(
      (await allDeliveriesOf(service, user.serial)).filter(({ kind }) => kind === 'confirm-contact'),
    ).toHaveLength(10);
  });
});

test('a new phone gets its code as an SMS; clearing it needs none, unless it is the last contact', async () => {
  const phone = '+44 20 7946 0958';
  const user = await givenSignedInUser(service);
  await change(user, { phone });
  const sent = () => gateway.requests.map(({ json }) => json as { text: string }).at(-1)?.text ?? '';
  await expect.poll(sent).toMatch(/^Rollcall: \d{8} confirms this phone number/);
  const [code = ''] = /\d{8}/.exec(sent()) ?? [];
  expect((await confirm(user, 'phone', code)).json.data.user.phone).toBe(phone);
  expect((await change(user, { phone: null })).json.data.user.phone).toBeNull();
  expectFailure(await change(user, { email: null }), 400, 10104, 'USER_CONTACT_REQUIRED', /./);
});

test('an administrator of their own account needs no other role, and an old proof is not enough', async () => {
  const user = await givenSignedInUser(service, 'operator');
  const email = newAddress();
  await change(user, { email });
  expect((await confirm(user, 'email', await codeSentTo(email))).json.data.user.email).toBe(email);
  await proveLongAgo(service, user.token);
  expect((await change(user, { email: newAddress() })).json.message).toBe('ACCESS_PROOF_REQUIRED');
});
