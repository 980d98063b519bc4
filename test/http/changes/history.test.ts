import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { givenCreates, givenUpdates, undo } from '../../support/calls.js';
import { patchUser } from '../../support/deliveries.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();

function history(serial: string, query: Record<string, string> = {}): Promise<Reply> {
  return service.get(`/service/users/${serial}/history?${new URLSearchParams(query)}`);
}

describe('GET /service/users/{serial}/history', () => {
  test('returns the same changes as the change list, with the serial in any case', async () => {
    const user = await service.givenUser();
    await patchUser(service, user.serial, { name: 'One', phone: '123' });
    await givenUpdates(service, [itemFor(user.employeeID, { newEmployeeID: newId() })]);
    const listed = await service.get(`/service/changes?userSerial=${user.serial}`);
    expect(listed.json.data.items).toHaveLength(3);
    expect((await history(user.serial)).json).toEqual(listed.json);
    expect((await history(user.serial.toUpperCase())).json).toEqual(listed.json);
  });

  test('returns pages', async () => {
    const user = await service.givenUser({ name: '0' });
    for (const name of ['1', '2']) await patchUser(service, user.serial, { name });
    const first = await history(user.serial, { limit: '2' });
    const second = await history(user.serial, { limit: '2', cursor: first.json.data.nextCursor });
    expect([...first.json.data.items, ...second.json.data.items]).toEqual(
      (await history(user.serial)).json.data.items,
    );
    expect(second.json.data.nextCursor).toBeNull();
    const other = await service.givenUser();
    const stray = await history(other.serial, { cursor: first.json.data.nextCursor });
    expectFailure(stray, 400, 10006, 'REQUEST_CURSOR_INVALID', /./);
  });

  test('exists for a deleted user, without changes of others with the employee ID', async () => {
    const user = aUser();
    const { callId, serials } = await givenCreates(service, [user]);
    const [serial = ''] = serials;
    await undo(service, callId);
    const { items } = (await history(serial)).json.data;
    expect(items).toMatchObject([
      {
        kind: 'deleted',
        employeeID: user.employeeID,
        fields: { employeeID: { before: user.employeeID, after: null } },
      },
      { kind: 'created', employeeID: user.employeeID, version: 1 },
    ]);
    const other = await service.givenUser({ employeeID: user.employeeID });
    expect((await history(other.serial)).json.data.items).toHaveLength(1);
    expect((await history(serial)).json.data.items).toEqual(items);
  });

  test('is empty for a user without changes since the log began', async () => {
    const { rows } = await service.database.pool.query(
      `INSERT INTO users (serial, created_at, updated_at, is_active, employee_id, name, email, tag_serials)
       VALUES (gen_random_uuid(), now(), now(), true, $1, 'Old', 'a@b.c', '{}') RETURNING serial`,
      [newId()],
    );
    expect((await history(rows[0].serial)).json.data).toEqual({ items: [], nextCursor: null });
  });

  test('of nobody fails with 404 and 10102', async () => {
    const { callId } = await givenCreates(service, [aUser()]);
    const unknown = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
    for (const serial of [unknown, 'nobody', "1'%20OR%20'1'='1", '%00', callId]) {
      const reply = await service.get(`/service/users/${serial}/history`);
      expectFailure(reply, 404, 10102, 'USER_NOT_FOUND', /^No user has this serial\.$/);
    }
  });

  test('rejects unknown, repeated and invalid parameters with 10005', async () => {
    const { serial } = await service.givenUser();
    for (const [query, detail] of [
      ['kind=created', /"kind" is unknown. Use limit, cursor/],
      ['limit=1&limit=1', /"limit" appears more than once/],
      ['limit=0', /"limit" must be a whole number/],
    ] as const) {
      const reply = await service.get(`/service/users/${serial}/history?${query}`);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });
});

describe('secrets', () => {
  test('of any kind appear in no change, history, call or undo', async () => {
    const secret = () => newId('Secret-of-');
    const [single, bulk, chosen] = [secret(), secret(), secret()];
    const [alone, one] = [
      await service.givenUser({ username: newId('u'), password: single }),
      aUser({ username: newId('u'), password: bulk }),
    ];
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId, 'idempotency-key': newId('key') };
    const reply = await service.post(
      '/service/users/create-bulk?effects=true',
      { items: [one] },
      { headers },
    );
    const serial: string = reply.json.data.successItems[0].response.serial;
    const { accessToken } = (await service.signIn(alone.username, single)).json.data;
    const changed = await service.post(
      '/service/auth/change-password',
      { currentPassword: single, newPassword: chosen },
      { token: accessToken },
    );
    expect(changed.status).toBe(200);
    const callId = reply.headers.get('x-call-id') as string;
    const undoReply = await undo(service, callId);
    const back = await undo(service, undoReply.headers.get('x-call-id') as string);
    const told = [
      reply.text,
      undoReply.text,
      back.text,
      (await history(alone.serial)).text,
      (await history(serial)).text,
      (await service.get(`/service/changes?callId=${callId}`)).text,
      (await service.get(`/service/calls?requestId=${requestId}`)).text,
    ].join('\n');
    for (const text of [single, bulk, chosen, 'argon2', 'password']) expect(told).not.toContain(text);
    for (const text of [single, bulk, chosen]) expect(await tablesHolding(service, text)).toEqual([]);
  });
});
