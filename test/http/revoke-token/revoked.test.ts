import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { hashSecret } from '../../../src/domain/clients/client-credentials.js';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { ensureClient } from '../../../src/storage/access/clients.js';
import { createdClient, revoke } from '../../support/api-clients.js';
import { issueToken, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';

const service = useService();
const statusOf = async (token: string) => (await service.get('/service/users?limit=1', { token })).status;

describe('POST /oauth/revoke', () => {
  test('ends the token immediately and permanently, and no other', async () => {
    const client = await createdClient(service);
    const [token, other] = [await issueToken(service.url, client), await issueToken(service.url, client)];
    expect([await statusOf(token), await statusOf(other)]).toEqual([200, 200]);
    const reply = await revoke(service, client, token);
    expect({ status: reply.status, json: reply.json }).toEqual({ status: 200, json: {} });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect([await statusOf(token), await statusOf(other)]).toEqual([401, 200]);
    expect((await revoke(service, client, token)).status, 'again').toBe(200);
  });

  test('accepts HTTP Basic and ignores the token type hint', async () => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const reply = await service.request('POST', '/oauth/revoke', {
      token: null,
      rawBody: new URLSearchParams({ token, token_type_hint: 'refresh_token' }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${basic}`,
      },
    });
    expect(reply.status, reply.text).toBe(200);
    expect(await statusOf(token)).toBe(401);
  });

  test('deletes a revoked token only after it would have expired', async () => {
    const client = await createdClient(service);
    await revoke(service, client, await issueToken(service.url, client));
    const revokedOf = async () => {
      const { database } = service.context;
      await runHousekeeping(service.context, { accessEventsDays: 36_500, changesDays: 36_500 });
      const { rowCount } = await database.pool.query('SELECT FROM revoked_tokens WHERE client_id = $1', [
        client.clientId,
      ]);
      return rowCount;
    };
    expect(await revokedOf()).toBe(1);
    await service.database.pool.query(
      `UPDATE revoked_tokens SET expires_at = now() - interval '2 hours' WHERE client_id = $1`,
      [client.clientId],
    );
    expect(await revokedOf()).toBe(0);
  });

  test('returns 200 for text that is no token of this service', async () => {
    const client = await createdClient(service);
    const tokens = [
      'hello',
      `${service.token.slice(0, -8)}AAAAAAAA`,
      'eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2V2aWwuZXhhbXBsZSJ9.',
      'x'.repeat(60_000),
      '\u0000',
    ];
    for (const token of tokens) expect((await revoke(service, client, token)).status).toBe(200);
  });
});

describe('POST /oauth/revoke rejects', () => {
  test('a token of another client, which stays valid', async () => {
    const [client, victim] = [await createdClient(service), await createdClient(service)];
    const token = await issueToken(service.url, victim);
    const reply = await revoke(service, client, token);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: 'unauthorized_client', errorCode: 10230 });
    expect(await statusOf(token)).toBe(200);
    const { rows } = await service.database.pool.query('SELECT FROM revoked_tokens WHERE token_id = $1', [
      decodeJwt(token).jti,
    ]);
    expect(rows).toEqual([]);
  });

  test('the session of a user, which stays valid', async () => {
    const { token } = await givenSignedInUser(service);
    const reply = await revoke(service, await createdClient(service), token);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: 'unsupported_token_type', errorCode: 10231 });
    expect(reply.json.error_description).toContain('/service/auth/sign-out');
    expect((await service.get('/service/auth/me', { token })).status).toBe(200);
  });

  test('a caller without the secret, and the token stays valid', async () => {
    const client = await createdClient(service);
    const token = await issueToken(service.url, client);
    const attempts = [
      { ...client, clientSecret: 'wrong' },
      { ...client, clientId: 'client-0123456789ab' },
    ];
    for (const credentials of attempts) {
      const reply = await revoke(service, credentials, token);
      expect(reply.status).toBe(401);
      expect(reply.json).toMatchObject({ error: 'invalid_client', errorCode: 10204 });
      expect(reply.headers.get('www-authenticate')).toBe('Basic realm="rollcall"');
    }
    const bearer = await service.request('POST', '/oauth/revoke', {
      token,
      rawBody: new URLSearchParams({ token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(bearer.status, 'the token itself is no client authentication').toBe(401);
    expect(await statusOf(token)).toBe(200);
  });

  test('a request without a token', async () => {
    const reply = await revoke(service, await createdClient(service), '');
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: 'invalid_request', errorCode: 10207 });
  });
});

describe('a bootstrap client whose secret changes', () => {
  test('loses its tokens at a start with the new secret, and none at a start with the same secret', async () => {
    const client = await createdClient(service);
    const [kept, lost] = [await issueToken(service.url, client), await issueToken(service.url, client)];
    const start = (secret: string) =>
      ensureClient(service.database.pool, {
        id: client.clientId,
        name: 'First client',
        scopes: [],
        secretHash: hashSecret(secret),
      });
    await start(client.clientSecret);
    expect(await statusOf(kept)).toBe(200);
    await start('another secret');
    const newer = await issueToken(service.url, { ...client, clientSecret: 'another secret' });
    expect([await statusOf(newer), await statusOf(lost)]).toEqual([200, 401]);
  });
});
