import { describe, expect, test } from 'vitest';
import { DeliveryFailed } from '../../src/delivery/message.js';
import { composeSms, createSmsGateway, type Sms } from '../../src/delivery/sms.js';
import { startSmsGateway } from '../support/sms-gateway.js';

function anSms(overrides: Partial<Sms> = {}): Sms {
  return {
    deliveryId: 'delivery-7',
    attempt: 2,
    to: '+44 20 7946 0958',
    text: 'Rollcall: your password is\nhunter2 "ß" 👍',
    ...overrides,
  };
}

/** Why a message was not sent. Also checks that the reason reveals no secrets. */
async function failure(sending: Promise<void>): Promise<string> {
  const error = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(DeliveryFailed);
  const { reason, message } = error as DeliveryFailed;
  for (const secret of ['7946', 'hunter2', 'the-token', 'chatter', '127.0.0.1']) {
    expect(`${reason} ${message}`).not.toContain(secret);
  }
  return reason;
}

describe('SMS', () => {
  test('is posted as JSON, with an ID that is also its idempotency key', async () => {
    const gateway = await startSmsGateway();
    await createSmsGateway({ url: gateway.url }).send(anSms());
    const [request] = gateway.requests;
    expect(gateway.requests).toHaveLength(1);
    expect(request).toMatchObject({ method: 'POST', path: '/messages' });
    expect(request?.json).toEqual({ id: 'delivery-7-2', to: anSms().to, text: anSms().text });
    expect(request?.body).toBe(composeSms(anSms()));
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'delivery-7-2',
    });
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  test('sends the token', async () => {
    const gateway = await startSmsGateway();
    await createSmsGateway({ url: gateway.url, token: 'the-token' }).send(anSms());
    expect(gateway.requests[0]?.headers.authorization).toBe('Bearer the-token');
  });

  test('sends the credentials in the URL as HTTP Basic, and keeps path and query', async () => {
    const gateway = await startSmsGateway();
    const url = `${gateway.url.replace('http://', 'http://roll%40call:p%3Aß%25@')}?from=acme`;
    await createSmsGateway({ url }).send(anSms());
    const [request] = gateway.requests;
    expect(request?.path).toBe('/messages?from=acme');
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('roll@call:p:ß%').toString('base64')}`);
  });

  test('prefers the token over credentials in the URL', async () => {
    const gateway = await startSmsGateway();
    const url = gateway.url.replace('http://', 'http://user:pass@');
    await createSmsGateway({ url, token: 'the-token' }).send(anSms());
    expect(gateway.requests[0]?.headers.authorization).toBe('Bearer the-token');
  });

  test.each([200, 201, 202, 204, 299])('is sent if the response is %i, whatever the body', async (status) => {
    const gateway = await startSmsGateway();
    gateway.behaviour = status;
    gateway.body = status === 204 ? '' : 'not JSON '.repeat(100_000);
    await createSmsGateway({ url: gateway.url }).send(anSms());
    expect(gateway.requests).toHaveLength(1);
  });

  test.each(['+44 20 7946 0958\r\nX: y', 'call 7946', '7', ''])(
    'to %j is rejected before it is posted',
    async (to) => {
      const gateway = await startSmsGateway();
      expect(await failure(createSmsGateway({ url: gateway.url }).send(anSms({ to })))).toBe(
        'Text messages cannot be sent to this phone number. Correct it, or add an email address, then send the message again.',
      );
      expect(gateway.requests).toEqual([]);
    },
  );
});

describe('failure reason', () => {
  test.each([400, 401, 404, 429, 500, 503])('contains the status %i', async (status) => {
    const gateway = await startSmsGateway();
    gateway.behaviour = status;
    gateway.body = `chatter: hunter2 to ${anSms().to}`;
    const sms = createSmsGateway({ url: gateway.url, token: 'the-token' });
    expect(await failure(sms.send(anSms()))).toBe(`The SMS gateway refused the message (${status}).`);
  });

  test.each([301, 302, 303, 307, 308])('for a redirect (%i), which is not followed', async (status) => {
    const gateway = await startSmsGateway();
    const elsewhere = await startSmsGateway();
    gateway.behaviour = status;
    gateway.headers = { location: elsewhere.url };
    const sms = createSmsGateway({ url: gateway.url, token: 'the-token' });
    expect(await failure(sms.send(anSms()))).toBe(
      `The SMS gateway responded with a redirect, which is not followed (${status}).`,
    );
    expect(gateway.requests).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  });

  test('for a gateway that does not respond', async () => {
    const gateway = await startSmsGateway();
    gateway.behaviour = 'hang';
    const sms = createSmsGateway({ url: gateway.url, timeoutMs: 50 });
    expect(await failure(sms.send(anSms()))).toBe('The SMS gateway did not respond in time.');
  });

  test('for a gateway that closes the connection', async () => {
    const gateway = await startSmsGateway();
    gateway.behaviour = 'drop';
    expect(await failure(createSmsGateway({ url: gateway.url }).send(anSms()))).toBe(
      'The SMS gateway closed the connection before it responded.',
    );
    expect(gateway.requests).toHaveLength(1);
  });

  test('for a gateway that is down', async () => {
    const gateway = await startSmsGateway();
    await gateway.stop();
    expect(await failure(createSmsGateway({ url: gateway.url }).send(anSms()))).toBe(
      'Cannot reach the SMS gateway (ECONNREFUSED).',
    );
  });

  test('for a gateway whose host name does not resolve', async () => {
    const sms = createSmsGateway({ url: 'http://sms.invalid/' });
    expect(await failure(sms.send(anSms()))).toMatch(
      /^(?:Cannot reach the SMS gateway \(E[A-Z_]+\)|The SMS gateway did not respond in time)\.$/,
    );
  });
});
