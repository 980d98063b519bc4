import { describe, expect, test } from 'vitest';
import { useServiceWithMail } from '../../support/deliveries.js';
import { newId } from '../../support/service.js';

const { service, mail, gateway } = useServiceWithMail(
  { ROLLCALL_INITIAL_PASSWORD: 'link', ROLLCALL_INITIAL_PASSWORD_LIFETIME_HOURS: '48' },
  { hasGateway: true },
);

/** A new user, and the address that the message goes to. */
async function givenInvited(fields: Record<string, unknown> = {}) {
  const [username, email] = [newId('u'), `${newId('i')}@example.org`];
  return { ...(await service.givenUser({ username, email, ...fields })), username, email };
}

const choose = (token: string, newPassword = 'a password of my own') =>
  service.post('/service/auth/reset-password-with-link', { token, newPassword }, { token: null });
const tokenIn = (text: string) => /\/new-password#(rcl_[\w-]{43})(?!\S)/.exec(text)?.[1] ?? '';

async function mailsTo(
  address: string,
  count: number,
): Promise<readonly { subject: string; text: string }[]> {
  const received = () => mail.messages.filter(({ envelope }) => envelope.to.includes(address));
  await expect.poll(() => received().length).toBe(count);
  return received().map(({ subject, text }) => ({ subject: subject ?? '', text: text ?? '' }));
}

describe('a link instead of an initial password', () => {
  test('lets a new user choose the first password, once, for as long as an initial one is valid', async () => {
    const user = await givenInvited();
    const [sent] = await mailsTo(user.email, 1);
    expect(sent?.subject).toBe('Your Rollcall account');
    expect(sent?.text).toContain(`Sign in as: ${user.username}`);
    const { rows } = await service.database.pool.query(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600) AS hours,
              EXISTS (SELECT FROM credentials WHERE user_serial = $1) AS "hasPassword"
       FROM password_links WHERE user_serial = $1`,
      [user.serial],
    );
    expect(rows).toEqual([{ hours: '48', hasPassword: false }]);
    const token = tokenIn(sent?.text ?? '');
    expect((await choose(token)).status).toBe(200);
    expect((await choose(token)).json.message).toBe('ACCESS_PASSWORD_LINK_INVALID');
    const signedIn = await service.signIn(user.username, 'a password of my own');
    expect(signedIn.json.data).toMatchObject({ serial: user.serial, mustChangePassword: false });
  });

  test('goes by SMS to a user without an email', async () => {
    const phone = `+49 151 ${newId('').replace(/\D/g, '')}`;
    await service.givenUser({ email: null, phone });
    const sent = () => gateway.requests.filter(({ body }) => body.includes('new-password'));
    await expect.poll(() => sent().length).toBe(1);
    expect((await choose(tokenIn(sent()[0]?.json.text))).status).toBe(200);
  });

  test('leaves a given password as it is, which is in no message', async () => {
    const password = `given ${newId('p')}`;
    const { username, email } = await givenInvited({ password });
    const [sent] = await mailsTo(email, 1);
    expect(sent?.text).not.toContain(password);
    expect((await service.signIn(username, password)).json.data.mustChangePassword).toBe(true);
    expect((await choose(tokenIn(sent?.text ?? ''))).status).toBe(200);
    expect((await service.signIn(username, password)).status).toBe(401);
  });

  test('replaces a password that is reset, and the link before', async () => {
    const user = await givenInvited();
    const [first] = await mailsTo(user.email, 1);
    expect((await service.post(`/service/users/${user.serial}/reset-password`, {})).status).toBe(202);
    const [, second] = await mailsTo(user.email, 2);
    expect(second?.subject).toBe('Choose a new Rollcall password');
    expect((await choose(tokenIn(first?.text ?? ''))).json.message).toBe('ACCESS_PASSWORD_LINK_INVALID');
    expect((await choose(tokenIn(second?.text ?? ''))).status).toBe(200);
  });

  test('ends when its address is not the one of the user anymore, or the user is deactivated', async () => {
    for (const change of [{ email: `${newId('new')}@example.org` }, { isActive: false }]) {
      const user = await givenInvited();
      const [sent] = await mailsTo(user.email, 1);
      await service.request('PATCH', `/service/users/${user.serial}`, { body: change });
      expect((await choose(tokenIn(sent?.text ?? ''))).json.message).toBe('ACCESS_PASSWORD_LINK_INVALID');
    }
  });
});
