import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import type { ShownDelivery } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';

// Sends nothing: deliveries stay as the requests left them.
const service = useService();

/** Users of one bulk call, whose deliveries no other test shares. */
async function givenCall(items: unknown[], query = ''): Promise<{ requestId: string; serials: string[] }> {
  const requestId = newId('request');
  const headers = { 'x-request-id': requestId };
  const reply = await service.post(`/service/users/create-bulk${query}`, { items }, { headers });
  return { requestId, serials: serialsOf(reply) };
}

async function list(query: string): Promise<{ items: ShownDelivery[]; nextCursor: string | null }> {
  const reply = await service.get(`/service/deliveries?${query}`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json).toMatchObject({ status: 'success', message: 'Deliveries found.' });
  return reply.json.data;
}

function usersOf(items: readonly ShownDelivery[]): string[] {
  return items.map(({ userSerial }) => userSerial);
}

describe('GET /service/deliveries', () => {
  test('filters by request and by user', async () => {
    const { requestId, serials } = await givenCall([aUser(), aUser(), aUser()]);
    expect(usersOf((await list(`requestId=${requestId}`)).items).toReversed()).toEqual(serials);
    expect((await list(`requestId=${requestId.toUpperCase()}`)).items).toEqual([]);
    expect(usersOf((await list(`userSerial=${serials[1]}`)).items)).toEqual([serials[1]]);
  });

  test('finds nothing for an unknown user or a malformed serial', async () => {
    expect((await list('userSerial=0198c0de-7a11-7000-8000-5f1e2d3c4b5b')).items).toEqual([]);
    expect(await list('userSerial=E1001')).toEqual({ items: [], nextCursor: null });
  });

  test('filters by state, also combined with other filters', async () => {
    const { requestId, serials } = await givenCall([aUser(), aUser({ isActive: false }), aUser()]);
    const { requestId: held } = await givenCall([aUser()], '?deliver=hold');
    const waiting = (await list(`requestId=${requestId}&state=waiting`)).items;
    expect(usersOf(waiting).toReversed()).toEqual([serials[0], serials[2]]);
    expect(usersOf((await list(`requestId=${requestId}&state=dormant`)).items)).toEqual([serials[1]]);
    expect((await list(`requestId=${held}&state=held`)).items).toHaveLength(1);
    for (const state of ['held', 'sent', 'parked', 'cancelled']) {
      expect((await list(`requestId=${requestId}&state=${state}`)).items).toEqual([]);
    }
    expect((await list(`requestId=${requestId}&state=dormant&userSerial=${serials[0]}`)).items).toEqual([]);
  });

  test('returns each delivery once across pages, newest first, and no cursor after a full last page', async () => {
    const { requestId, serials } = await givenCall(Array.from({ length: 51 }, () => aUser()));
    const first = await list(`requestId=${requestId}`);
    expect(first.items).toHaveLength(50);
    const last = await list(`requestId=${requestId}&cursor=${first.nextCursor}&limit=1`);
    expect(usersOf([...first.items, ...last.items])).toEqual(serials.toReversed());
    expect(last.nextCursor).toBeNull();
  });

  test('keeps pages stable while new deliveries arrive', async () => {
    const { requestId, serials } = await givenCall([aUser(), aUser(), aUser()]);
    const first = await list(`requestId=${requestId}&limit=2`);
    const headers = { 'x-request-id': requestId };
    await service.post('/service/users', aUser(), { headers });
    const second = await list(`requestId=${requestId}&limit=2&cursor=${first.nextCursor}`);
    expect(usersOf([...first.items, ...second.items])).toEqual(serials.toReversed());
  });

  test('returns only its fields and nothing of a stored password', async () => {
    const password = `given ${newId()}`;
    const { serial } = await service.givenUser({ password });
    const reply = await service.get(`/service/deliveries?userSerial=${serial}`);
    expect(Object.keys(reply.json.data.items[0])).toEqual([
      'id',
      'userSerial',
      'kind',
      'state',
      'heldReason',
      'channel',
      'address',
      'attempts',
      'createdAt',
      'nextAttemptAt',
      'sentAt',
      ...['lastProblem', 'lastProblemCode', 'lastError'],
      'requestId',
    ]);
    const { rows } = await service.database.pool.query(
      'SELECT secret, secret_key_id FROM deliveries WHERE user_serial = $1',
      [serial],
    );
    expect(rows[0].secret, 'a password waits in it').toBeInstanceOf(Buffer);
    for (const form of ['hex', 'base64'] as const)
      expect(reply.text).not.toContain(rows[0].secret.toString(form));
    expect(reply.text).not.toContain(rows[0].secret_key_id);
    expect(reply.text).not.toContain(password);
  });

  test('rejects unknown parameters and states with 10005', async () => {
    for (const [query, detail] of [
      ['status=sent', /^"status" is unknown. Use state, userSerial, requestId, limit, cursor\.$/],
      ['state=lost', /^"state" must be one of waiting, held, dormant, sent, parked, cancelled\.$/],
      ['state=sent&state=held', /^"state" appears more than once\. Send it once\.$/],
    ] as const) {
      const reply = await service.get(`/service/deliveries?${query}`);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });

  test('rejects a cursor of other filters and a malformed cursor with 10006', async () => {
    const { requestId } = await givenCall([aUser(), aUser()]);
    const { nextCursor } = await list(`requestId=${requestId}&limit=1`);
    for (const query of [
      `limit=1&cursor=${nextCursor}`,
      `requestId=${requestId}&state=waiting&cursor=${nextCursor}`,
      `requestId=${requestId}&cursor=x`,
      `requestId=${requestId}&cursor=`,
    ]) {
      const reply = await service.get(`/service/deliveries?${query}`);
      expectFailure(reply, 400, 10006, 'REQUEST_CURSOR_INVALID', /nextCursor/);
    }
  });
});
