import { describe, expect, test } from 'vitest';
import { providerSettingsOf } from '../../../src/domain/scim/provider-settings.js';
import { createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenProvider, givenToken } from '../../support/providers.js';
import { useService } from '../../support/service.js';
import { timePasses } from '../../support/time-passes.js';

const service = useService();

const preset = {
  onDelete: 'deactivate',
  employeeId: 'reject',
  visibleUsers: 'all',
  unknownAttributes: 'ignore',
  deactivationPercent: 5,
};

const put = (path: string, body: unknown) => service.request('PUT', `${path}/scim`, { body });

const eventsOf = async (clientId: string) =>
  (await service.get(`/service/access-events?kind=provider.changed&clientId=${clientId}`)).json.data.items;

async function listed(): Promise<string[]> {
  const { json } = await service.get('/service/scim/providers?limit=200');
  return json.data.items.map(({ clientId }: { clientId: string }) => clientId);
}

describe('GET /service/clients/{id}/scim', () => {
  test('returns the settings of the kind other for a client without any', async () => {
    const { clientId, path, data } = await givenProvider(service);
    expect((await service.get(`${path}/scim`)).json).toEqual({
      status: 'success',
      message: 'Identity provider found.',
      data: {
        clientId,
        name: data.name,
        isActive: true,
        settings: { kind: 'other', ...preset, unknownAttributes: 'reject' },
        deactivations: { used: 0, limit: expect.any(Number), allowedMore: 0, allowedUntil: null },
        lastRequestAt: null,
        failedRequests: 0,
      },
    });
    expect(await listed(), 'nobody uses it as a provider').not.toContain(clientId);
  });

  test('returns 404 and 10215 for an unknown client', async () => {
    const reply = await service.get('/service/clients/nobody/scim');
    expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID/);
  });
});

describe('PUT /service/clients/{id}/scim', () => {
  test('replaces all settings, and those that are not sent get the preset of the kind', async () => {
    const { clientId, path } = await givenProvider(service);
    const chosen = {
      onDelete: 'erase',
      employeeId: 'externalId',
      visibleUsers: 'own',
      deactivationPercent: 0,
    };
    const reply = await put(path, { kind: 'okta', ...chosen });
    expect(reply.json.message).toBe('Settings saved.');
    expect(reply.json.data.settings).toEqual({ kind: 'okta', ...preset, ...chosen });
    expect(reply.json.data.deactivations.limit, 'any number').toBeNull();
    expect((await service.get(`${path}/scim`)).json).toMatchObject({ data: reply.json.data });
    expect(await listed()).toContain(clientId);
    const cleared = await put(path, { kind: 'entra', onDelete: null });
    expect(cleared.json.data.settings).toEqual({ kind: 'entra', ...preset });
  });

  test('records what has changed, and nothing if nothing has', async () => {
    const { clientId, path } = await givenProvider(service);
    await put(path, { kind: 'other' });
    expect(await eventsOf(clientId)).toEqual([]);
    for (let count = 0; count < 2; count++) await put(path, { kind: 'other', employeeId: 'generate' });
    expect(await eventsOf(clientId)).toMatchObject([
      { detail: { employeeId: { before: 'reject', after: 'generate' } } },
    ]);
  });

  test('takes effect on this node immediately, and on others within three seconds', async () => {
    const { clientId, path } = await givenProvider(service);
    const kind = async () => (await providerSettingsOf(service.database, clientId)).kind;
    expect(await kind()).toBe('other');
    await put(path, { kind: 'okta' });
    expect(await kind()).toBe('okta');
    await service.database.pool.query(`UPDATE scim_providers SET kind = 'entra' WHERE client_id = $1`, [
      clientId,
    ]);
    expect(await kind(), 'read before').toBe('okta');
    timePasses(3_000);
    expect(await kind()).toBe('entra');
  });

  test('rejects an invalid body with 400 and 10004', async () => {
    const { path } = await givenProvider(service);
    for (const [body, detail] of [
      [{}, /^"kind" is required\. It must be one of okta, entra, other\.$/],
      [{ kind: 'okta', onDelete: 'keep' }, /^"onDelete" must be one of deactivate, erase/],
      [
        { kind: 'okta', deactivationPercent: 101 },
        /^"deactivationPercent" must be a whole number from 0 to 100/,
      ],
      [{ kind: 'okta', clientId: 'x' }, /^"clientId" is not a field of this operation/],
    ] as const) {
      expectFailure(await put(path, body), 400, 10004, 'REQUEST_BODY_INVALID', detail);
    }
  });

  test('rejects a client without the scope with 409 and 10220, and an unknown one with 404 and 10215', async () => {
    const client = await createdClient(service, ['users:read']);
    const reply = await put(client.path, { kind: 'okta' });
    expectFailure(reply, 409, 10220, 'ACCESS_CLIENT_NOT_A_PROVIDER', /^The client lacks the scope scim/);
    const nobody = await put('/service/clients/nobody', { kind: 'okta' });
    expectFailure(nobody, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID/);
  });
});

describe('GET /service/scim/providers', () => {
  test('lists clients with the scope that have settings or a token, by the ID of the client, in pages', async () => {
    const [withSettings, withToken] = [await givenProvider(service), await givenProvider(service)];
    await put(withSettings.path, { kind: 'okta' });
    await givenToken(service, withToken);
    const all = await listed();
    expect(all).toEqual(expect.arrayContaining([withSettings.clientId, withToken.clientId]));
    expect(all).toEqual([...all].sort());
    const first = (await service.get('/service/scim/providers?limit=1')).json.data;
    const next = (await service.get(`/service/scim/providers?limit=1&cursor=${first.nextCursor}`)).json.data;
    expect([first, next].map(({ items }) => items[0].clientId)).toEqual(all.slice(0, 2));
    await service.request('PATCH', withToken.path, { body: { scopes: ['users:read'] } });
    expect(await listed()).not.toContain(withToken.clientId);
  });
});
