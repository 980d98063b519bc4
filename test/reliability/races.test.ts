import { describe, expect, test } from 'vitest';
import { anItem, aUser, newId, type Reply, useService } from '../support/service.js';

const service = useService();

const together = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

function successes(reply: Reply): number {
  return reply.json.data.successItems.length;
}

describe('races on PostgreSQL', () => {
  test('of many creates with the same employee ID, exactly one succeeds', async () => {
    const employeeID = newId();
    const replies = await together(20, () => service.post('/service/users', aUser({ employeeID })));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    const losers = replies.filter((reply) => reply.status !== 201);
    expect(losers.map((reply) => [reply.status, reply.json.errorCode])).toEqual(Array(19).fill([409, 10101]));
  });

  test('of many creates with one username in different case, exactly one succeeds', async () => {
    const username = newId('Name');
    const spelled = (index: number) => (index % 2 ? username.toUpperCase() : username.toLowerCase());
    const replies = await together(20, (index) =>
      service.post('/service/users', aUser({ username: spelled(index) })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.json.errorCode === 10103)).toHaveLength(19);
  });

  test('concurrent upserts of the same new users create each of them once, and update them otherwise', async () => {
    for (let round = 0; round < 2; round++) {
      const users = Array.from({ length: 20 }, () => aUser({ username: newId('u') }));
      const replies = await together(8, (index) => {
        const items = users.map((user) => ({ ...user, phone: `${index}${index}${index}` }));
        return service.upsertBulk(index % 2 ? items.reverse() : items, '?effects=true');
      });
      expect(replies.map(successes)).toEqual(Array(8).fill(users.length));
      const outcomes = replies.flatMap((reply) => reply.json.data.successItems);
      for (const { employeeID } of users) {
        const of = outcomes.filter(({ payload }) => payload.employeeID === employeeID);
        expect(of.filter(({ effect }) => effect.kind === 'created')).toHaveLength(1);
        expect(new Set(of.map(({ response }) => response.serial)).size).toBe(1);
      }
      const { rows } = await service.database.pool.query(
        `SELECT employee_id, version, (SELECT count(*) FROM deliveries WHERE user_serial = serial)::int AS messages
         FROM users WHERE employee_id = ANY ($1)`,
        [users.map(({ employeeID }) => employeeID)],
      );
      expect(rows).toHaveLength(users.length);
      expect(new Set(rows.map(({ messages }) => messages))).toEqual(new Set([1]));
    }
  });

  test('concurrent upserts with passwords, creates and undos of the same users never fail with an internal error', async () => {
    const users = Array.from({ length: 5 }, () => aUser({ password: 'correct horse battery staple' }));
    for (let round = 0; round < 2; round++) {
      const replies = await together(4, async (index) => {
        if (index === 0) return service.createBulk(users);
        const reply = await service.upsertBulk(users);
        const callId = reply.headers.get('x-call-id');
        if (index > 1) await service.request('POST', `/service/calls/${callId}/undo`);
        return reply;
      });
      expect(replies.map(({ status }) => status)).toEqual(Array(4).fill(200));
      for (const reply of replies.slice(1)) expect(successes(reply)).toBe(users.length);
    }
  });

  test('of many renames to the same employee ID, exactly one succeeds and the others fail with 10101', async () => {
    const users = await together(20, () => service.givenUser());
    const target = newId();
    const replies = await together(20, (index) =>
      service.updateBulk([anItem(users[index] as never, { newEmployeeID: target })]),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200));
    expect(replies.filter((reply) => successes(reply) === 1)).toHaveLength(1);
    const errors = replies
      .flatMap((reply) => reply.json.data.failedItems)
      .map((item) => item.error.errorCode);
    expect(errors).toEqual(Array(19).fill(10101));
  });

  test('calls for the same users in opposite order all succeed, without a deadlock', async () => {
    const users = await together(40, () => service.givenUser());
    for (let round = 0; round < 2; round++) {
      const replies = await together(8, (index) => {
        const items = users.map((user) => anItem(user, { phone: `${round}${index}${index}${index}` }));
        return service.updateBulk(index % 2 ? items.reverse() : items);
      });
      expect(replies.map(successes)).toEqual(Array(8).fill(users.length));
    }
  });

  test('concurrent calls that pass names around in cycles never fail with an internal error', async () => {
    const users = await together(6, () => service.givenUser());
    const names = users.map((user) => user.employeeID);
    const free = newId();
    for (let round = 0; round < 4; round++) {
      const replies = await together(6, (index) => {
        const order = [...names.slice(index), ...names.slice(0, index)];
        // Every user moves up one place through the free name. Other calls start with another user.
        const moves = [
          [order[0], free],
          ...order.slice(1).map((name, at) => [name, order[at]]),
          [free, order.at(-1)],
        ];
        return service.updateBulk(
          moves.map(([employeeID, newEmployeeID]) => ({
            employeeID,
            newEmployeeID,
            name: 'Moved',
            isActive: true,
          })),
        );
      });
      for (const reply of replies) {
        expect(reply.status).toBe(200);
        const codes = reply.json.data.failedItems.map(
          (item: { error: { errorCode: number } }) => item.error.errorCode,
        );
        expect(codes.filter((code: number) => code !== 10101 && code !== 10102)).toEqual([]);
      }
      const held = await service.database.pool.query(
        'SELECT employee_id FROM users WHERE serial = ANY ($1)',
        [users.map((user) => user.serial)],
      );
      expect(new Set(held.rows.map((row) => row.employee_id)).size).toBe(users.length);
      for (const { employee_id } of held.rows) expect([...names, free]).toContain(employee_id);
    }
  });

  test('an employee ID that changes hands within one call is never missing for another call', async () => {
    const target = newId();
    const [first, second] = [await service.givenUser({ employeeID: target }), await service.givenUser()];
    const spare = second.employeeID;
    const away = newId();
    let handing = true;
    // After each call a user has the target ID: its holder leaves, the spare user takes it, and the old holder becomes
    // spare.
    const handOver = async () => {
      for (let round = 0; round < 15; round++) {
        const reply = await service.updateBulk([
          { employeeID: target, newEmployeeID: away, name: 'Holder', isActive: true },
          { employeeID: spare, newEmployeeID: target, name: 'Spare', isActive: true },
          { employeeID: away, newEmployeeID: spare, name: 'Away', isActive: true },
        ]);
        expect(successes(reply)).toBe(3);
      }
      handing = false;
    };
    const update = async () => {
      while (handing) {
        const reply = await service.updateBulk([{ employeeID: target, name: 'Updated', isActive: true }]);
        expect(reply.json.data.failedItems).toEqual([]);
        expect([first.serial, second.serial]).toContain(reply.json.data.successItems[0].response.serial);
      }
    };
    await Promise.all([handOver(), update(), update(), update()]);
  });

  test('two users swapping employee IDs by concurrent PATCH requests never cause a deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await service.givenUser(), await service.givenUser()];
      const replies = await Promise.all([
        service.request('PATCH', `/service/users/${a.serial}`, { body: { employeeID: b.employeeID } }),
        service.request('PATCH', `/service/users/${b.serial}`, { body: { employeeID: a.employeeID } }),
      ]);
      for (const reply of replies) expect([200, 409]).toContain(reply.status);
    }
  });

  test('of clearing email and phone concurrently, by PATCH and in bulk, one is rejected', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await service.givenUser({ phone: '12345' });
      const [patched, updated] = await Promise.all([
        service.request('PATCH', `/service/users/${user.serial}`, { body: { email: null } }),
        service.updateBulk([anItem(user, { phone: '' })]),
      ]);
      const refusals = [patched.json.errorCode, updated.json.data?.failedItems[0]?.error.errorCode].filter(
        Boolean,
      );
      expect(refusals).toEqual([10104]);
    }
  });

  test('of many PATCH requests for the same version, exactly one succeeds and the others fail with 412', async () => {
    const user = await service.givenUser();
    const etag = (await service.get(`/service/users/${user.serial}`)).headers.get('etag') as string;
    const replies = await together(10, (index) =>
      service.request('PATCH', `/service/users/${user.serial}`, {
        body: { name: `N${index}` },
        headers: { 'if-match': etag },
      }),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 412)).toHaveLength(9);
  });
});
