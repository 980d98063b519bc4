import { describe, expect, test } from 'vitest';
import {
  deliveriesOf,
  mailsTo,
  mailTo,
  newAddress,
  passwordIn,
  patchUser,
  untilSent,
  useServiceWithMail,
} from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { newId, type Reply } from '../../support/service.js';

const { service, mail } = useServiceWithMail();

function reset(serial: string): Promise<Reply> {
  return service.request('POST', `/service/users/${serial}/reset-password`);
}

describe('the message of a reset', () => {
  test('says that the password was reset and contains one that works and must be changed', async () => {
    const email = newAddress();
    // The first message may or may not be sent before the user chooses a password, which cancels it.
    const person = await givenPerson(service, null, { email });
    await reset(person.serial);
    await expect.poll(() => mailsTo(mail, email).at(-1)?.subject).toBe('Your new Rollcall password');
    const message = mailsTo(mail, email).at(-1) as (typeof mail.messages)[number];
    const password = passwordIn(message);
    expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{23}$/);
    expect(message.html).toContain(password);
    expect((await service.signIn(person.username, person.password)).json.errorCode).toBe(10208);
    const signedIn = await service.signIn(person.username, password);
    expect(signedIn.json.data).toMatchObject({ mustChangePassword: true, serial: person.serial });
    const body = { currentPassword: password, newPassword: `chosen again by ${person.username}` };
    const token = signedIn.json.data.accessToken;
    expect((await service.post('/service/auth/change-password', body, { token })).status).toBe(200);
    expect(await untilSent(service, person.serial)).toMatchObject({ kind: 'reset-password', attempts: 1 });
  });

  test('replaces the password that was sent before', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username });
    const first = passwordIn(await mailTo(mail, email));
    await reset(serial);
    const second = passwordIn(await mailTo(mail, email, 2));
    expect((await service.signIn(username, first)).json.errorCode).toBe(10208);
    expect((await service.signIn(username, second)).status).toBe(200);
  });

  test('replaces a given password that was not sent yet, which never works again', async () => {
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

  test('reaches a user without a username too, and names the employee ID to sign in with', async () => {
    const email = newAddress();
    const { serial, employeeID } = await service.givenUser({ email, username: null });
    await mailTo(mail, email);
    expect((await reset(serial)).status).toBe(202);
    const message = await mailTo(mail, email, 2);
    expect(message.text).toContain(`Sign in as: ${employeeID}`);
  });
});

describe('a reset', () => {
  test('ends the old password immediately, before any message is sent', async () => {
    const person = await givenPerson(service);
    const before = await service.signIn(person.username, person.password);
    expect(before.status).toBe(200);
    await reset(person.serial);
    const reply = await service.signIn(person.username, person.password);
    expectFailure(
      reply,
      401,
      10208,
      'ACCESS_SIGN_IN_FAILED',
      /^The username, employee ID or password is wrong/,
    );
  });

  test('clears the failed sign-ins of the username, so that the user is not delayed by them', async () => {
    const { serial, username } = await givenPerson(service);
    for (let attempt = 0; attempt < 5; attempt++) await service.signIn(username, 'wrong');
    const delayed = await service.signIn(username, 'wrong');
    expectFailure(delayed, 429, 10209, 'ACCESS_SIGN_IN_DELAYED', /Try again in \d+ s\./);
    await reset(serial);
    expect((await service.signIn(username, 'wrong')).json.errorCode).toBe(10208);
  });
});
