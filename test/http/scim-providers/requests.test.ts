import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ScimRequestEntry } from '../../../src/domain/scim/request-log.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenProvider } from '../../support/providers.js';
import { givenScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();
const serial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

const request = (clientId: string, given: Partial<ScimRequestEntry> = {}): ScimRequestEntry => ({
  clientId,
  operation: 'create',
  resourceType: 'User',
  resourceId: serial,
  status: 201,
  scimType: null,
  error: null,
  ignoredAttributes: [],
  durationMs: 3,
  ...given,
});

const list = async ({ path }: { path: string }, query = '') =>
  (await service.get(`${path}/scim/requests${query}`)).json.data;

describe('GET /service/clients/{id}/scim/requests', () => {
  test('lists the requests of the provider, newest first, written within seconds', async () => {
    const [provider, other] = [await givenProvider(service), await givenProvider(service)];
    const { scimRequests } = service.context;
    scimRequests.record(request(provider.clientId));
    const failed = {
      status: 409,
      resourceId: null,
      scimType: 'uniqueness',
      error: 'USER_USERNAME_EXISTS',
      ignoredAttributes: ['nickName', 'urn:example:2.0:User:shoeSize'],
    };
    scimRequests.record(request(provider.clientId, failed));
    scimRequests.record(request(other.clientId));
    await expect.poll(async () => (await list(provider)).items.length).toBe(2);
    const { clientId: _, ...shown } = request(provider.clientId);
    const facts = { id: expect.any(String), at: expect.stringMatching(/Z$/) };
    const { items } = await list(provider);
    expect(items).toEqual([
      { ...facts, ...shown, ...failed },
      { ...facts, ...shown },
    ]);
    expect((await list(provider, '?failedOnly=true')).items).toEqual([items[0]]);
    const settings = (await service.get(`${provider.path}/scim`)).json.data;
    expect(settings).toMatchObject({ lastRequestAt: items[0].at, failedRequests: 1 });
    const listed = (await service.get('/service/scim/providers?limit=200')).json.data.items;
    expect(listed.map(({ clientId }: { clientId: string }) => clientId)).toContain(provider.clientId);
  });

  test('lists the last 500, in pages', async () => {
    const provider = await givenProvider(service);
    const { scimRequests } = service.context;
    for (const burst of [300, 600, 3]) {
      for (let number = 0; number < burst; number++) {
        scimRequests.record(request(provider.clientId, { durationMs: number }));
      }
      await scimRequests.flush();
    }
    const durations: number[] = [];
    for (let query = '?limit=200'; ; ) {
      const { items, nextCursor } = await list(provider, query);
      durations.push(...items.map(({ durationMs }: ScimRequestEntry) => durationMs));
      if (nextCursor === null) break;
      query = `?limit=200&cursor=${nextCursor}`;
    }
    expect(durations).toHaveLength(500);
    expect(durations.slice(0, 5)).toEqual([2, 1, 0, 599, 598]);
  });

  test('has no names of attributes that could be something else', async () => {
    const provider = await givenProvider(service);
    const ignoredAttributes = ['nickName', 'ada@example.com', 'x'.repeat(129), '<b>'];
    service.context.scimRequests.record(request(provider.clientId, { ignoredAttributes }));
    await service.context.scimRequests.flush();
    expect((await list(provider)).items[0].ignoredAttributes).toEqual(['nickName']);
  });

  test('has the other requests if one cannot be stored', async () => {
    const [provider, other] = [await givenProvider(service), await givenProvider(service)];
    const { scimRequests } = service.context;
    scimRequests.record(request(provider.clientId, { resourceId: '\u0000' }));
    scimRequests.record(request(provider.clientId));
    scimRequests.record(request(other.clientId));
    await scimRequests.flush();
    expect((await list(provider)).items).toMatchObject([{ resourceId: serial }]);
    expect((await list(other)).items).toMatchObject([{ resourceId: serial }]);
  });

  test('has the IDs of groups only if there are such groups', async () => {
    const provider = await givenScimProvider(service);
    const tag = newId('Tag ');
    await service.givenUser({ tagSerials: [tag] });
    const unknown = randomUUID();
    for (const id of ['%00', 'ada@example.com', unknown]) {
      expect((await provider.get(`/Groups/${id}`)).status).toBe(404);
      expect(
        (await provider.patchGroup(decodeURIComponent(id), [{ op: 'remove', path: 'members' }])).status,
      ).toBe(404);
    }
    expect((await provider.get(`/Groups/${encodeURIComponent(tag)}`)).status).toBe(200);
    await service.context.scimRequests.flush();
    const { items } = await list({ path: `/service/clients/${provider.clientId}` });
    const logged = items.map(({ resourceId }: { resourceId: string | null }) => resourceId);
    expect(logged).toEqual([tag, unknown, unknown, null, null, null, null]);
  });

  test('returns 404 and 10215 for an unknown client', async () => {
    const reply = await service.get('/service/clients/nobody/scim/requests');
    expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID/);
  });
});
