import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newWebhookSecret, signatureHeader } from '../../src/domain/webhooks/webhook-message.js';

function aMessage(body = '{"type":"user.created","data":{"name":"Zoë “Zed” 👍"}}') {
  return { id: 'msg_7', timestampSeconds: Math.floor(Date.now() / 1000), body };
}

/** Verifies the message as a receiver does, with the Standard Webhooks library. */
function verified(secret: string, message: ReturnType<typeof aMessage>, signature: string): unknown {
  return new Webhook(secret).verify(message.body, {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': signature,
  });
}

describe('webhook secret', () => {
  test('is a prefix and 32 bytes in Base64, and never repeats', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });
});

describe('signature', () => {
  test('matches the example in Standard Webhooks', () => {
    expect(
      signatureHeader(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        timestampSeconds: 1614265330,
        body: '{"test": 2432232314}',
      }),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('is accepted by a receiver with the secret', () => {
    const secret = newWebhookSecret();
    const message = aMessage();
    expect(verified(secret, message, signatureHeader([secret], message))).toEqual(JSON.parse(message.body));
  });

  test('is accepted with the old and the new secret during a rotation', () => {
    const [newer, older] = [newWebhookSecret(), newWebhookSecret()];
    const message = aMessage();
    const header = signatureHeader([newer, older], message);
    expect(header).toBe(`${signatureHeader([newer], message)} ${signatureHeader([older], message)}`);
    expect(verified(newer, message, header)).toEqual(JSON.parse(message.body));
    expect(verified(older, message, header)).toEqual(JSON.parse(message.body));
    expect(() => verified(newWebhookSecret(), message, header)).toThrow('No matching signature found');
  });

  test.each([
    ['body', { body: '{"type":"user.deleted"}' }],
    ['ID', { id: 'msg_8' }],
    ['time', { timestampSeconds: aMessage().timestampSeconds - 60 }],
  ])('is rejected with a different %s', (_, change) => {
    const secret = newWebhookSecret();
    const message = aMessage();
    const header = signatureHeader([secret], message);
    expect(() => verified(secret, { ...message, ...change }, header)).toThrow('No matching signature found');
  });

  test.each(['', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'cannot be created with %j, which is not a secret',
    (secret) => {
      expect(() => signatureHeader([secret], aMessage())).toThrow('not a webhook secret');
    },
  );
});
