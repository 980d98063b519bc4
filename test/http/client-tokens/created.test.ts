import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenProvider, givenToken } from '../../support/providers.js';
import { useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('POST /service/clients/{id}/tokens', () => {
  test('returns 201 with the token and Location, and disables caching', async () => {
    const provider = await givenProvider(service);
    const reply = await service.post(`${provider.path}/tokens`, { name: 'Okta', expiresInDays: 365 });
    expect(reply.status, reply.text).toBe(201);
    const { data } = reply.json;
    expect(reply.json).toEqual({
      status: 'success',
      message: 'Token created. Keep it: it is not shown again.',
      data: {
        id: data.id,
        name: 'Okta',
        createdAt: time,
        expiresAt: time,
        revokedAt: null,
        lastUsedAt: null,
        token: expect.stringMatching(/^rct_[\w-]{43}$/),
      },
    });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(365 * 86_400_000);
    expect(reply.headers.get('location')).toBe(`${provider.path}/tokens/${data.id}`);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const { token: _, ...shown } = data;
    expect((await service.get(`${provider.path}/tokens`)).json.data.items).toEqual([shown]);
  });

  test('stores the token as a hash: it appears in no table, access event or log', async () => {
    const provider = await givenProvider(service);
    const { id, token } = await givenToken(service, provider);
    expect(await tablesHolding(service, token)).toEqual([]);
    expect(service.logs).not.toContain(token);
    const url = `/service/access-events?kind=client.token-created&clientId=${provider.clientId}`;
    const events = (await service.get(url)).json.data.items;
    expect(events).toMatchObject([{ detail: { tokenId: id, name: 'Okta', expiresAt: null } }]);
  });

  test('rejects a client without the scope scim with 409 and 10220', async () => {
    const client = await createdClient(service, ['users:write']);
    const reply = await service.post(`${client.path}/tokens`, { name: 'Okta' });
    const detail = /^The client lacks the scope scim\. Add it/;
    expectFailure(reply, 409, 10220, 'ACCESS_CLIENT_NOT_A_PROVIDER', detail);
  });

  test('rejects a 21st token that works with 409 and 10219, but not because of those that are revoked', async () => {
    const provider = await givenProvider(service);
    const tokens = [];
    for (let count = 0; count < 20; count++) tokens.push(await givenToken(service, provider));
    const reply = await service.post(`${provider.path}/tokens`, { name: 'Okta' });
    expectFailure(reply, 409, 10219, 'ACCESS_CLIENT_TOKEN_TOO_MANY', /^The client has 20 tokens that work/);
    await service.request('DELETE', tokens[0]?.path as string);
    await givenToken(service, provider);
  });

  test('rejects an invalid body with 400 and 10004, and an unknown client with 404 and 10215', async () => {
    const { path } = await givenProvider(service);
    for (const [body, detail] of [
      [{}, /^"name" is required/],
      [{ name: 'Okta', expiresInDays: 0 }, /^"expiresInDays" must be a whole number from 1 to 3650/],
    ] as const) {
      const reply = await service.post(`${path}/tokens`, body);
      expectFailure(reply, 400, 10004, 'REQUEST_BODY_INVALID', detail);
    }
    for (const id of ['nobody', 'nul%00']) {
      const reply = await service.post(`/service/clients/${id}/tokens`, { name: 'Okta' });
      expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID/);
    }
  });
});

describe('GET /service/clients/{id}/tokens', () => {
  test('lists the tokens of the client alone, newest first, in pages', async () => {
    const [provider, other] = [await givenProvider(service), await givenProvider(service)];
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await givenToken(service, provider)).id);
    await givenToken(service, other);
    const first = (await service.get(`${provider.path}/tokens?limit=2`)).json.data;
    const next = (await service.get(`${provider.path}/tokens?limit=2&cursor=${first.nextCursor}`)).json.data;
    const listed = [...first.items, ...next.items].map(({ id }) => id);
    expect([listed, next.nextCursor]).toEqual([ids.reverse(), null]);
  });

  test('returns 404 and 10215 for an unknown client', async () => {
    const reply = await service.get('/service/clients/nobody/tokens');
    expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID/);
  });
});
