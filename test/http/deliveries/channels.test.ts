import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deliveryOf,
  endPauseAfter,
  newAddress,
  newPhone,
  passwordIn,
  passwordInSms,
  sendsAtOnce,
  untilSent,
} from '../../support/deliveries.js';
import { newId, TestService } from '../../support/service.js';
import { openSmsGateway, type SmsGatewayServer } from '../../support/sms-gateway.js';

const requestsTo = (phone: string) => gateway.requests.filter(({ json }) => json.to === phone);

let gateway: SmsGatewayServer;
let service: TestService;
beforeAll(async () => {
  gateway = await openSmsGateway();
  service = await TestService.start({
    ...sendsAtOnce,
    SMS_GATEWAY_URL: gateway.url,
    SMS_GATEWAY_TOKEN: 'token-of-the-gateway',
  });
});
afterAll(async () => {
  await gateway.stop();
  await service.stop();
});

describe('without a mail server', () => {
  function filesOf(deliveryId: string): string[] {
    return readdirSync(join(service.dataDir, 'outbox')).filter((name) => name.includes(deliveryId));
  }

  test('an email is written to the outbox directory, and its password works', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username });
    const { id, channel } = await untilSent(service, serial);
    expect(channel).toBe('email');
    const [file = '', ...others] = filesOf(id);
    expect(others).toEqual([]);
    expect(file).toMatch(new RegExp(`^\\d{8}T\\d{6}\\.\\d{3}Z-${id}-1\\.eml$`));
    const message = await PostalMime.parse(readFileSync(join(service.dataDir, 'outbox', file)));
    expect(message.to).toEqual([expect.objectContaining({ address: email })]);
    expect(message.html).toContain(passwordIn(message));
    expect((await service.signIn(username, passwordIn(message))).json.data.mustChangePassword).toBe(true);
  });

  test('a user with email and phone gets the file and no SMS', async () => {
    const phone = newPhone();
    const { serial } = await service.givenUser({ email: newAddress(), phone });
    const { id, channel } = await untilSent(service, serial);
    expect(channel).toBe('email');
    expect(filesOf(id)).toEqual([expect.stringMatching(/\.eml$/)]);
    expect(requestsTo(phone)).toEqual([]);
  });
});

describe('with an SMS gateway', () => {
  test('a user with only a phone gets an SMS, and its password works', async () => {
    const [phone, username] = [newPhone(), newId('u')];
    const { serial } = await service.givenUser({ email: null, phone, username });
    const { id, channel } = await untilSent(service, serial);
    expect(channel).toBe('sms');
    expect(requestsTo(phone)).toHaveLength(1);
    const request = requestsTo(phone)[0];
    expect(request?.json).toEqual({ id: `${id}-1`, to: phone, text: expect.any(String) });
    expect(request?.headers.authorization).toBe('Bearer token-of-the-gateway');
    const signedIn = await service.signIn(username, passwordInSms(request?.json.text));
    expect(signedIn.json.data.mustChangePassword).toBe(true);
  });

  test('an SMS contains the given password unchanged', async () => {
    const [phone, password] = [newPhone(), `given ${newId()}`];
    const { serial } = await service.givenUser({ email: null, phone, password });
    await untilSent(service, serial);
    expect(passwordInSms(requestsTo(phone)[0]?.json.text)).toBe(password);
  });

  test('a rejected SMS is retried later, with a new ID and a new password', async () => {
    const [phone, username] = [newPhone(), newId('u')];
    gateway.behaviour = 503;
    gateway.body = `no credit for ${phone}`;
    const { serial } = await service.givenUser({ email: null, phone, username });
    await expect
      .poll(async () => (await deliveryOf(service, serial)).lastError)
      .toBe('The SMS gateway refused the message (503).');
    gateway.behaviour = 202;
    const { id } = await deliveryOf(service, serial);
    await endPauseAfter(service, id, 1);
    expect(await untilSent(service, serial)).toMatchObject({ attempts: 2, lastError: null });
    const [first, second] = requestsTo(phone);
    expect([first?.json.id, second?.json.id]).toEqual([`${id}-1`, `${id}-2`]);
    expect((await service.signIn(username, passwordInSms(first?.json.text))).json.errorCode).toBe(10208);
    expect((await service.signIn(username, passwordInSms(second?.json.text))).status).toBe(200);
  });
});
