import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendsAtOnce } from '../support/deliveries.js';
import { aUser, TestService } from '../support/service.js';
import { type Manner, openUnhelpfulServer } from '../support/unhelpful-server.js';
import { eagerEvents, givenWebhook } from '../support/webhooks.js';

/** Long enough that a call which waited for any of them would never end. */
const anHour = String(3_600_000);

async function unhelpful(manner: Manner) {
  const protocols = ['smtp', 'http', 'http', 'http'] as const;
  const servers = await Promise.all(protocols.map((protocol) => openUnhelpfulServer(manner, protocol)));
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  const [mail, sms, receiver, issuer] = servers as [
    (typeof servers)[0],
    (typeof servers)[0],
    (typeof servers)[0],
    (typeof servers)[0],
  ];
  return { mail, sms, receiver, issuer };
}

async function tokenOf(issuer: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ scope: 'users:read' })
    .setProtectedHeader({ alg: 'ES256', kid: 'any' })
    .setIssuer(issuer)
    .setAudience('rollcall')
    .setSubject('someone')
    .setExpirationTime('1h')
    .sign(privateKey);
}

describe.each<Manner>(['slow', 'refusing'])('a %s mail server, gateway, receiver and issuer', (manner) => {
  test('bulk calls do what they do without them, and wait for none of them', async () => {
    const { mail, sms, receiver, issuer } = await unhelpful(manner);
    const issuerUrl = `http://localhost:${issuer.port}`;
    const service = await TestService.start({
      ...sendsAtOnce,
      ...eagerEvents,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      SMS_GATEWAY_URL: `http://127.0.0.1:${sms.port}`,
      ROLLCALL_ISSUERS: JSON.stringify([{ issuer: issuerUrl, audience: 'rollcall' }]),
      ROLLCALL_DELIVERY_TIMEOUT_MS: anHour,
      ROLLCALL_WEBHOOK_TIMEOUT_MS: anHour,
      ROLLCALL_SHUTDOWN_TIMEOUT_MS: '1',
      // A worker that held a connection while it waits would soon hold all of them.
      ROLLCALL_POOL_CONNECTIONS_MAX: '2',
    });
    onTestFinished(() => service.stop());
    await givenWebhook(service, { url: `http://127.0.0.1:${receiver.port}/` });
    const foreign = service.get('/service/users', { token: await tokenOf(issuerUrl) });

    const users = Array.from({ length: 60 }, (_, at) =>
      at % 2 === 0 ? aUser() : aUser({ email: undefined, phone: `+49 89 ${1_000 + at}` }),
    );
    const created = await service.createBulk(users);
    expect(created.json.data.failedItems).toEqual([]);
    expect(created.json.data.successItems).toHaveLength(users.length);
    if (manner !== 'refusing') {
      await expect.poll(() => [mail, sms, receiver].every(({ connections }) => connections > 0)).toBe(true);
    }
    for (let round = 0; round < 2; round++) {
      const items = users.map(({ employeeID }) => ({ employeeID, name: `R${round}`, isActive: true }));
      const { status, json } = await service.updateBulk(items);
      expect(status).toBe(200);
      expect(json.data.successItems).toHaveLength(users.length);
    }
    const refused = await foreign;
    expect([refused.status, refused.json.errorCode]).toEqual([503, 10901]);
  });
});
