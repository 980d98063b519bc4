import { expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { useService } from '../../support/service.js';
import { setSession } from '../../support/sessions.js';
import { givenSignedInUser, type SignedInUser } from '../../support/signed-in-users.js';

const service = useService();

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function signInAgain({ username, password }: SignedInUser): Promise<{ token: string; id: string }> {
  const reply = await service.post(
    '/service/auth/sign-in',
    { username, password },
    { headers: { 'user-agent': firefox } },
  );
  return { token: reply.json.data.accessToken, id: reply.json.data.sessionId };
}

async function own(token: string) {
  return (await service.get('/service/me/sessions', { token })).json.data.items;
}

const statusOf = async (token: string) => (await service.get('/service/auth/me', { token })).status;

test('users see where they are signed in, and end one session or all others', async () => {
  const user = await givenSignedInUser(service);
  const stranger = await givenSignedInUser(service);
  const [second, third] = [await signInAgain(user), await signInAgain(user)];
  const listed = await own(third.token);
  expect(listed).toHaveLength(3);
  expect(listed[0]).toEqual({
    id: third.id,
    userSerial: user.serial,
    createdAt: expect.any(String),
    lastSeenAt: expect.any(String),
    expiresAt: expect.any(String),
    method: 'password',
    address: expect.any(String),
    device: 'Firefox on Windows',
    isCurrent: true,
  });
  expect(listed.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true, false, false]);
  expect((await service.get('/service/auth/me', { token: third.token })).json.data.sessionId).toBe(third.id);

  const end = (id: string, token: string) =>
    service.request('DELETE', `/service/me/sessions/${id}`, { token });
  for (const id of [second.id, 'nothing']) {
    expectFailure(await end(id, stranger.token), 404, 10232, 'ACCESS_SESSION_NOT_FOUND', /^No session/);
  }
  expect((await end(second.id, third.token)).status).toBe(200);
  expect(await statusOf(second.token)).toBe(401);
  const others = await service.request('DELETE', '/service/me/sessions', { token: third.token });
  expect(others.json).toEqual({ status: 'success', message: '1 session ended.', data: { ended: 1 } });
  for (const [token, status] of [
    [user.token, 401],
    [third.token, 200],
    [stranger.token, 200],
  ] as const) {
    expect(await statusOf(token)).toBe(status);
  }
});

test('administrators see who is signed in, and end sessions of one user', async () => {
  const administrator = await givenSignedInUser(service, 'administrator');
  const user = await givenSignedInUser(service);
  const { id, token } = await signInAgain(user);
  const list = async () =>
    (await service.get(`/service/sessions?userSerial=${user.serial}&limit=1`, { token: administrator.token }))
      .json.data;
  const page = await list();
  expect(page.items[0]).toMatchObject({ id, userSerial: user.serial, isCurrent: false });
  expect(page.nextCursor).not.toBeNull();
  expect((await service.request('DELETE', `/service/sessions/${id}`)).status).toBe(200);
  expect(await statusOf(token)).toBe(401);
  const ended = await service.request('DELETE', `/service/users/${user.serial}/sessions`);
  expect(ended.json.data).toEqual({ ended: 1 });
  expect((await list()).items).toEqual([]);
  const own = await service.request('DELETE', `/service/users/${administrator.serial}/sessions`, {
    token: administrator.token,
  });
  expect(own.json.data, 'none but the current one').toEqual({ ended: 0 });
  expect(await statusOf(administrator.token)).toBe(200);
  const refused = await service.get('/service/sessions', { token: user.token });
  expect(refused.status).toBe(401);
});

test('a session ends when it is not used for two hours, and a page that is only open does not use it', async () => {
  const { token } = await givenSignedInUser(service);
  const setSeen = (ago: string) => setSession(service, token, `last_seen_at = now() - interval '${ago}'`);
  const unattended = () =>
    service.get('/service/auth/me', { token, headers: { 'rollcall-unattended': 'true' } });
  await setSeen('119 minutes');
  expect((await unattended()).status).toBe(200);
  await setSeen('120 minutes');
  expect((await unattended()).status).toBe(401);
  await setSeen('119 minutes');
  expect(await statusOf(token)).toBe(200);
  const [{ lastSeenAt }] = await own(token);
  expect(Date.now() - Date.parse(lastSeenAt)).toBeLessThan(60_000 * 60);
});
