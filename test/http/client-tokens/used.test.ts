import { describe, expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { createdClient, revoke } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenProvider, givenToken } from '../../support/providers.js';
import { useService } from '../../support/service.js';
import { timePasses } from '../../support/time-passes.js';

const service = useService();
const me = (token: string) => service.get('/service/auth/me', { token });
const statusOf = async (token: string) => (await me(token)).status;

const listed = async ({ path }: { path: string }) => (await service.get(`${path}/tokens`)).json.data.items;

describe('a long-lived token', () => {
  test('has the scope scim of its client and no other', async () => {
    const client = await createdClient(service, ['users:read', 'access:admin', 'scim']);
    const { token } = await givenToken(service, client);
    expect((await me(token)).json.data).toMatchObject({
      kind: 'client',
      id: client.clientId,
      scopes: ['scim'],
    });
    expect((await service.get('/service/clients', { token })).json.errorCode).toBe(10203);
  });

  test('has no scope once its client has lost it, within three seconds', async () => {
    const client = await createdClient(service, ['users:read', 'scim']);
    const { token } = await givenToken(service, client);
    expect((await me(token)).json.data.scopes).toEqual(['scim']);
    await service.request('PATCH', client.path, { body: { scopes: ['users:read'] } });
    timePasses(3_000);
    expect((await me(token)).json.data.scopes).toEqual([]);
  });

  test('stops working within three seconds when its client is disabled, and works again afterwards', async () => {
    const provider = await givenProvider(service);
    const { token } = await givenToken(service, provider);
    expect(await statusOf(token)).toBe(200);
    await service.request('PATCH', provider.path, { body: { isActive: false } });
    timePasses(3_000);
    const detail = /^The token was revoked or has expired, or its client is disabled/;
    expectFailure(await me(token), 401, 10202, 'ACCESS_TOKEN_INVALID', detail);
    await service.request('PATCH', provider.path, { body: { isActive: true } });
    expect(await statusOf(token)).toBe(200);
  });

  test('stops working when it has expired', async () => {
    const provider = await givenProvider(service);
    const { id, token } = await givenToken(service, provider, { name: 'Okta', expiresInDays: 1 });
    expect(await statusOf(token)).toBe(200);
    timePasses(3_000);
    await service.database.pool.query(
      `UPDATE client_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect(await statusOf(token)).toBe(401);
  });

  test('that nobody has is rejected', async () => {
    expect(await statusOf(`rct_${'x'.repeat(43)}`)).toBe(401);
    expect(await statusOf(`rct_${'x'.repeat(42)}`)).toBe(401);
  });

  test('shows when it was last used, soon after the first use and then once a minute', async () => {
    const provider = await givenProvider(service);
    const { token } = await givenToken(service, provider);
    expect(await statusOf(token)).toBe(200);
    await expect.poll(async () => (await listed(provider))[0].lastUsedAt).toMatch(/^\d{4}-/);
    await service.database.pool.query(
      `UPDATE client_tokens SET last_used_at = '2026-01-01' WHERE client_id = $1`,
      [provider.clientId],
    );
    timePasses(30_000);
    expect(await statusOf(token)).toBe(200);
    timePasses(60_000);
    expect(await statusOf(token)).toBe(200);
    await expect.poll(async () => (await listed(provider))[0].lastUsedAt).not.toMatch(/^2026-01-01/);
  });
});

describe('DELETE /service/clients/{id}/tokens/{tokenId}', () => {
  test('ends the token within three seconds and no other, and records the revocation once', async () => {
    const provider = await givenProvider(service);
    const [gone, other] = [await givenToken(service, provider), await givenToken(service, provider)];
    expect(await statusOf(gone.token)).toBe(200);
    const reply = await service.request('DELETE', gone.path);
    expect(reply.json).toMatchObject({
      message: 'Token revoked.',
      data: { id: gone.id, revokedAt: expect.any(String) },
    });
    timePasses(3_000);
    expect([await statusOf(gone.token), await statusOf(other.token)]).toEqual([401, 200]);
    const again = await service.request('DELETE', gone.path);
    expect(again.json.data).toEqual({ ...reply.json.data, lastUsedAt: again.json.data.lastUsedAt });
    const url = `/service/access-events?kind=client.token-revoked&clientId=${provider.clientId}`;
    const events = (await service.get(url)).json.data.items;
    expect(events).toMatchObject([{ detail: { tokenId: gone.id, name: 'Okta' } }]);
  });

  test('returns 404 and 10218 for a token of another client', async () => {
    const { id, token } = await givenToken(service, await givenProvider(service));
    const { path } = await givenProvider(service);
    for (const each of [id, 'nothing']) {
      const reply = await service.request('DELETE', `${path}/tokens/${each}`);
      expectFailure(
        reply,
        404,
        10218,
        'ACCESS_CLIENT_TOKEN_NOT_FOUND',
        /^The client has no long-lived token/,
      );
    }
    expect(await statusOf(token)).toBe(200);
  });

  test('is also possible for its client, with POST /oauth/revoke', async () => {
    const [provider, other] = [await givenProvider(service), await givenProvider(service)];
    const { token } = await givenToken(service, provider);
    expect(await statusOf(token)).toBe(200);
    expect((await revoke(service, other, token)).json.errorCode).toBe(10230);
    expect((await revoke(service, provider, token)).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
    expect((await revoke(service, provider, token)).status, 'a token that is invalid anyway').toBe(200);
  });
});

test('housekeeping deletes tokens that have not worked for as long as access events are kept', async () => {
  const provider = await givenProvider(service);
  const [old, recent] = [await givenToken(service, provider), await givenToken(service, provider)];
  for (const { path } of [old, recent]) await service.request('DELETE', path);
  await service.database.pool.query(
    `UPDATE client_tokens SET revoked_at = now() - interval '11 days' WHERE id = $1`,
    [old.id],
  );
  // Other files may have changes from long ago, which must stay.
  await runHousekeeping(service.context, { accessEventsDays: 10, changesDays: 36_500 });
  expect((await listed(provider)).map(({ id }: { id: string }) => id)).toEqual([recent.id]);
});
