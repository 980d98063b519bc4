import { beforeAll, describe, expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { noticesAbout } from '../../support/notices.js';
import { givenHolder } from '../../support/protected-users.js';
import { deactivate, givenProvider } from '../../support/providers.js';
import { aUser, useOwnService } from '../../support/service.js';

const service = useOwnService();
const activeUsers = 400;
const share = 20;

// One administrator exists from the start.
beforeAll(async () => {
  await service.createBulk(Array.from({ length: activeUsers - 1 }, () => aUser()));
  await indexNow(service);
});

const allow = (path: string, body: unknown) => service.post(`${path}/scim/allow-deactivations`, body);
const stateOf = async ({ path }: { path: string }) =>
  (await service.get(`${path}/scim`)).json.data.deactivations;

describe('a provider', () => {
  test('may deactivate 5 percent of the active users within 24 hours, and is told what to do beyond', async () => {
    const provider = await givenProvider(service);
    const { clientId } = provider;
    expect(await deactivate(service, clientId, share - 1)).toBeUndefined();
    expect(await deactivate(service, clientId, 2)).toEqual({
      error: 'SCIM_DEACTIVATION_LIMIT',
      detail: `This provider has deactivated 19 users within 24 hours, and 2 more would exceed its limit of 20 (5% of 400 active users, but at least 10). Nothing was changed. If it is meant to, an administrator allows more, under Settings > Provisioning or with "rollcall scim allow ${clientId} --count 2".`,
      data: { requested: 2, deactivated: 19, limit: 20, activeUsers },
    });
    expect(await deactivate(service, clientId, 1)).toBeUndefined();
    expect(await deactivate(service, clientId, 0), 'nothing needs no permission').toBeUndefined();
    expect(await stateOf(provider)).toEqual({ used: 20, limit: 20, allowedMore: 0, allowedUntil: null });
    await service.database.pool.query(
      `UPDATE scim_deactivations SET at = now() - interval '24 hours 1 second' WHERE client_id = $1 AND users = 19`,
      [clientId],
    );
    expect((await stateOf(provider)).used).toBe(1);
    expect(await deactivate(service, clientId, share - 1)).toBeUndefined();
  });

  test('that reaches its limit is reported once, and again after more were allowed', async () => {
    await givenHolder(service);
    const { clientId, path } = await givenProvider(service);
    const notices = async () =>
      (await noticesAbout(service, clientId)).filter(({ channel }) => channel === 'email').length;
    expect(await deactivate(service, clientId, share - 1)).toBeUndefined();
    expect(await notices()).toBe(0);
    expect(await deactivate(service, clientId, 1)).toBeUndefined();
    const told = await notices();
    expect(told).toBeGreaterThan(0);
    await service.database.pool.query(
      'UPDATE scim_deactivations SET users = users - 1 WHERE client_id = $1',
      [clientId],
    );
    expect(await deactivate(service, clientId, 1)).toBeUndefined();
    expect(await notices(), 'the limit is reached again within the day').toBe(told);
    await allow(path, { count: 1 });
    expect(await deactivate(service, clientId, 2)).toBeUndefined();
    expect(await notices()).toBe(2 * told);
  });

  test('has a limit of its own', async () => {
    const [one, other] = [await givenProvider(service), await givenProvider(service)];
    expect(await deactivate(service, one.clientId, share)).toBeUndefined();
    expect(await deactivate(service, other.clientId, share)).toBeUndefined();
    expect(await deactivate(service, one.clientId, 1)).toBeDefined();
  });

  test('has the limit of its settings, and none with 0 percent', async () => {
    const { clientId, path } = await givenProvider(service);
    const set = (deactivationPercent: number) =>
      service.request('PUT', `${path}/scim`, { body: { kind: 'other', deactivationPercent } });
    await set(10);
    expect(await deactivate(service, clientId, 41)).toMatchObject({ data: { limit: 40 } });
    await set(0);
    expect(await deactivate(service, clientId, 10_000)).toBeUndefined();
  });

  test('does not exceed the limit with concurrent requests', async () => {
    const provider = await givenProvider(service);
    const attempts = Array.from({ length: share + 10 }, () => deactivate(service, provider.clientId, 1));
    const refused = (await Promise.all(attempts)).filter((problem) => problem !== undefined);
    expect(refused).toHaveLength(10);
    expect((await stateOf(provider)).used).toBe(share);
  });
});

describe('POST /service/clients/{id}/scim/allow-deactivations', () => {
  test('raises the limit for some hours, and is recorded', async () => {
    const provider = await givenProvider(service);
    const { clientId, path } = provider;
    expect(await deactivate(service, clientId, share)).toBeUndefined();
    const reply = await allow(path, { count: 100, hours: 2 });
    expect(reply.json).toMatchObject({
      message: 'More deactivations allowed.',
      data: { deactivations: { used: 20, limit: 120, allowedMore: 100, allowedUntil: expect.any(String) } },
    });
    const until = Date.parse(reply.json.data.deactivations.allowedUntil);
    expect(Math.round((until - Date.now()) / 3_600_000)).toBe(2);
    expect(await deactivate(service, clientId, 100)).toBeUndefined();
    expect(await deactivate(service, clientId, 1)).toMatchObject({ data: { limit: 120 } });
    const url = `/service/access-events?kind=provider.deactivations-allowed&clientId=${clientId}`;
    expect((await service.get(url)).json.data.items).toMatchObject([{ detail: { count: 100, hours: 2 } }]);
    await service.database.pool.query(
      `UPDATE scim_providers SET allowed_until = now() - interval '1 second' WHERE client_id = $1`,
      [clientId],
    );
    expect(await stateOf(provider)).toEqual({ used: 120, limit: 20, allowedMore: 0, allowedUntil: null });
  });

  test('replaces what was allowed before, for 24 hours unless the request says otherwise', async () => {
    const { path } = await givenProvider(service);
    await allow(path, { count: 100 });
    const { deactivations } = (await allow(path, { count: 7 })).json.data;
    expect([deactivations.allowedMore, deactivations.limit]).toEqual([7, 27]);
    expect(Math.round((Date.parse(deactivations.allowedUntil) - Date.now()) / 3_600_000)).toBe(24);
  });

  test('rejects an invalid body, a client without the scope and an unknown client', async () => {
    const { path } = await givenProvider(service);
    const rule = /^"count" must be a whole number from 1 to 1000000/;
    expectFailure(await allow(path, { count: 0 }), 400, 10004, 'REQUEST_BODY_INVALID', rule);
    const hours = /^"hours" must be a whole number from 1 to 72/;
    expectFailure(await allow(path, { count: 1, hours: 73 }), 400, 10004, 'REQUEST_BODY_INVALID', hours);
    const client = await createdClient(service, ['users:read']);
    const reply = await allow(client.path, { count: 1 });
    expectFailure(reply, 409, 10220, 'ACCESS_CLIENT_NOT_A_PROVIDER', /^The client lacks the scope scim/);
    const nobody = await allow('/service/clients/nobody', { count: 1 });
    expectFailure(nobody, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID/);
  });
});

test('housekeeping deletes deactivations that no limit counts any more', async () => {
  const { clientId } = await givenProvider(service);
  for (const users of [1, 2]) expect(await deactivate(service, clientId, users)).toBeUndefined();
  const { pool } = service.database;
  await pool.query(
    `UPDATE scim_deactivations SET at = now() - interval '26 hours' WHERE client_id = $1 AND users = 1`,
    [clientId],
  );
  await runHousekeeping(service.context, { accessEventsDays: 365, changesDays: 365 });
  const { rows } = await pool.query('SELECT users FROM scim_deactivations WHERE client_id = $1', [clientId]);
  expect(rows).toEqual([{ users: 2 }]);
});
