import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { deliveriesOf, deliveryOf, everythingStored, newAddress } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';

// Sends nothing, so that tests can inspect what is queued.
const service = useService();

async function deliveriesOfRequest(requestId: string) {
  return (await service.get(`/service/deliveries?requestId=${requestId}`)).json.data.items;
}

function createBulk(items: unknown[], requestId: string, query = ''): Promise<Reply> {
  const headers = { 'x-request-id': requestId };
  return service.post(`/service/users/create-bulk${query}`, { items }, { headers });
}

async function countUsers(employeeIDs: string[]): Promise<number> {
  const { rowCount } = await service.database.pool.query('SELECT FROM users WHERE employee_id = ANY ($1)', [
    employeeIDs,
  ]);
  return rowCount ?? 0;
}

describe('a create queues one delivery', () => {
  test('that is waiting, due immediately and linked to its request', async () => {
    const requestId = newId('request');
    const before = Date.now();
    const reply = await service.post('/service/users', aUser(), { headers: { 'x-request-id': requestId } });
    const userSerial = reply.json.data.serial;
    const deliveries = await deliveriesOf(service, userSerial);
    expect(deliveries).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        userSerial,
        kind: 'initial-password',
        state: 'waiting',
        heldReason: null,
        channel: null,
        address: null,
        attempts: 0,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        nextAttemptAt: deliveries[0]?.createdAt,
        sentAt: null,
        ...{ lastProblem: null, lastProblemCode: null, lastError: null },
        requestId,
      },
    ]);
    expect(Date.parse(deliveries[0]?.createdAt ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(deliveries[0]?.createdAt ?? '')).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('without generating or hashing a password yet, single and bulk', async () => {
    const { passwords } = service.context;
    const hashesBefore = passwords.hashesDone;
    const { serial } = await service.givenUser();
    const reply = await service.createBulk([aUser(), aUser({ password: null })]);
    expect(passwords.hashesDone).toBe(hashesBefore);
    const stored = await service.database.pool.query(
      'SELECT user_serial FROM credentials WHERE user_serial = ANY ($1)',
      [[serial, ...serialsOf(reply)]],
    );
    expect(stored.rows).toEqual([]);
  });

  test('and hashes a given password once, which works before the message is sent', async () => {
    const { passwords } = service.context;
    const [username, password] = [newId('u'), `given ${newId()}`];
    const hashesBefore = passwords.hashesDone;
    const { serial } = await service.givenUser({ username, password });
    expect(passwords.hashesDone).toBe(hashesBefore + 1);
    expect((await deliveryOf(service, serial)).state).toBe('waiting');
    expect((await service.signIn(username, password)).json.data.mustChangePassword).toBe(true);
  });

  test('and stores a given password only encrypted', async () => {
    const [alone, inBulk] = [`given ${newId()}`, `given ${newId()}`];
    const { serial } = await service.givenUser({ password: alone });
    const [bulkSerial = ''] = serialsOf(await service.createBulk([aUser({ password: inBulk })]));
    const stored = await everythingStored(service.database.pool);
    for (const password of [alone, inBulk]) {
      expect(stored).not.toContain(password);
      expect(stored).not.toContain(Buffer.from(password).toString('hex'));
      expect(stored).not.toContain(Buffer.from(password).toString('base64'));
    }
    const { rows } = await service.database.pool.query(
      'SELECT id, secret, secret_key_id FROM deliveries WHERE user_serial = ANY ($1) ORDER BY id',
      [[serial, bulkSerial]],
    );
    const { cipher } = service.context;
    expect(rows.map(({ secret_key_id }) => secret_key_id)).toEqual([cipher.keyId, cipher.keyId]);
    expect(rows.map(({ id, secret }) => cipher.decrypt(secret, id))).toEqual([alone, inBulk]);
  });

  test('that is dormant if the user is inactive', async () => {
    const { serial } = await service.givenUser({ isActive: false });
    expect(await deliveryOf(service, serial)).toMatchObject({ state: 'dormant', nextAttemptAt: null });
    const [bulkSerial = ''] = serialsOf(await service.createBulk([aUser({ isActive: false })]));
    expect(await deliveryOf(service, bulkSerial)).toMatchObject({ state: 'dormant', nextAttemptAt: null });
  });
});

describe('a failed create queues no delivery', () => {
  test('because a field is invalid or a name is taken', async () => {
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId };
    const { employeeID } = await service.givenUser();
    expect((await service.post('/service/users', aUser({ email: 'none' }), { headers })).status).toBe(400);
    expect((await service.post('/service/users', aUser({ employeeID }), { headers })).status).toBe(409);
    const given = aUser({ employeeID, password: 'given' });
    expect((await service.post('/service/users', given, { headers })).status).toBe(409);
    expect(await deliveriesOfRequest(requestId)).toEqual([]);
  });

  test.each([
    ['at once', { password: 'given' }],
    ['at the commit', {}],
  ] as const)('because the database fails %s, with %j', async (moment, given) => {
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId };
    const employeeID = newId();
    await whenStored(service, employeeID, `RAISE EXCEPTION 'no'`, moment);
    const user = aUser({ employeeID, ...given });
    expect((await service.post('/service/users', user, { headers })).status).toBe(500);
    expect((await createBulk([aUser(), user], requestId)).status).toBe(500);
    expect(await deliveriesOfRequest(requestId)).toEqual([]);
    expect(await countUsers([employeeID])).toBe(0);
  });
});

describe('a bulk create', () => {
  test('queues one delivery per created user and none for a failed item', async () => {
    const requestId = newId('request');
    const taken = await service.givenUser();
    const reply = await createBulk(
      [
        aUser(),
        aUser({ employeeID: taken.employeeID }),
        aUser({ password: 'given', email: newAddress() }),
        aUser({ email: 'none' }),
        aUser({ isActive: false }),
      ],
      requestId,
    );
    const serials = serialsOf(reply);
    expect(serials).toHaveLength(3);
    const deliveries = await deliveriesOfRequest(requestId);
    expect(
      deliveries.toReversed().map(({ userSerial, state }: Record<string, string>) => [userSerial, state]),
    ).toEqual([
      [serials[0], 'waiting'],
      [serials[1], 'waiting'],
      [serials[2], 'dormant'],
    ]);
  });

  test('with deliver=hold holds all deliveries, for active and inactive users', async () => {
    const requestId = newId('request');
    const items = [aUser(), aUser({ isActive: false }), aUser({ password: 'given' })];
    const reply = await createBulk(items, requestId, '?deliver=hold');
    expect(serialsOf(reply)).toHaveLength(3);
    const deliveries = await deliveriesOfRequest(requestId);
    expect(deliveries.map(({ state }: { state: string }) => state)).toEqual(['held', 'held', 'held']);
    expect(deliveries.map(({ nextAttemptAt }: { nextAttemptAt: null }) => nextAttemptAt)).toEqual(
      Array(3).fill(null),
    );
  });

  test('with an unknown value of deliver fails with 10005 and creates nothing', async () => {
    const users = [aUser(), aUser()];
    for (const [query, detail] of [
      [
        '?delivery=hold',
        /^"delivery" is unknown. Use deliver, rehire, effectiveAt, lastWorkingDay, approval, ifChanged, dryRun, effects, unknownFields, source, note\.$/,
      ],
      ['?deliver=HOLD', /^"deliver" must be one of now, hold\.$/],
      ['?deliver=now&deliver=hold', /^"deliver" appears more than once\. Send it once\.$/],
    ] as const) {
      const reply = await createBulk(users, newId('request'), query);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
    expect(await countUsers(users.map(({ employeeID }) => employeeID))).toBe(0);
    const requestId = newId('request');
    await createBulk(users, requestId, '?deliver=now');
    expect(await deliveriesOfRequest(requestId)).toMatchObject([{ state: 'waiting' }, { state: 'waiting' }]);
  });
});
