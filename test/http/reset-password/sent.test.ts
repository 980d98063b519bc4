import { expect, test } from 'vitest';
import {
  deliveriesOf,
  mailsTo,
  mailTo,
  newAddress,
  passwordIn,
  patchUser,
  untilSent,
  useSharedServiceWithMail,
} from '../../support/deliveries.js';
import { newId, type Reply } from '../../support/service.js';

const { service, mail } = useSharedServiceWithMail();

function reset(serial: string): Promise<Reply> {
  return service.request('POST', `/service/users/${serial}/reset-password`);
}

test('the message of a reset contains a password that replaces the one sent before and must be changed', async () => {
  const [email, username] = [newAddress(), newId('u')];
  const { serial } = await service.givenUser({ email, username });
  const first = passwordIn(await mailTo(mail, email));
  await reset(serial);
  const message = await mailTo(mail, email, 2);
  expect(message.subject).toBe('Your new Rollcall password');
  const password = passwordIn(message);
  expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{23}$/);
  expect(message.html).toContain(password);
  expect((await service.signIn(username, first)).json.errorCode).toBe(10208);
  const { data } = (await service.signIn(username, password)).json;
  expect(data).toMatchObject({ mustChangePassword: true, serial });
  const body = { currentPassword: password, newPassword: `chosen again by ${username}` };
  const changed = await service.post('/service/auth/change-password', body, { token: data.accessToken });
  expect(changed.status).toBe(200);
  expect(await untilSent(service, serial)).toMatchObject({ kind: 'reset-password', attempts: 1 });
});

test('a reset replaces a given password that was not sent yet, which never works again', async () => {
  const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
  const { serial } = await service.givenUser({ email, username, password, isActive: false });
  await reset(serial);
  await patchUser(service, serial, { isActive: true });
  const sent = passwordIn(await mailTo(mail, email));
  expect(sent).not.toBe(password);
  expect((await service.signIn(username, password)).json.errorCode).toBe(10208);
  expect((await service.signIn(username, sent)).status).toBe(200);
  await untilSent(service, serial);
  expect((await deliveriesOf(service, serial)).map(({ state }) => state)).toEqual(['sent', 'cancelled']);
  expect(mailsTo(mail, email)).toHaveLength(1);
});

test('a reset reaches a user without a username too, and names the employee ID to sign in with', async () => {
  const email = newAddress();
  const { serial, employeeID } = await service.givenUser({ email, username: null });
  await mailTo(mail, email);
  expect((await reset(serial)).status).toBe(202);
  const message = await mailTo(mail, email, 2);
  expect(message.text).toContain(`Sign in as: ${employeeID}`);
});
