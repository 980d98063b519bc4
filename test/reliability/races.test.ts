import { describe, expect, test } from 'vitest';
import { anItem, aUser, newId, type Reply, useService } from '../support/service.js';

const service = useService();

const together = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

function successes(reply: Reply): number {
  return reply.json.data.successItems.length;
}

describe('races on a real PostgreSQL', () => {
  test('of many creates of one employee ID, exactly one wins', async () => {
    const employeeID = newId();
    const replies = await together(20, () => service.post('/service/users', aUser({ employeeID })));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    const losers = replies.filter((reply) => reply.status !== 201);
    expect(losers.map((reply) => [reply.status, reply.json.errorCode])).toEqual(Array(19).fill([409, 10101]));
  });

  test('of many creates of one username in different case, exactly one wins', async () => {
    const username = newId('Name');
    const spelled = (index: number) => (index % 2 ? username.toUpperCase() : username.toLowerCase());
    const replies = await together(20, (index) =>
      service.post('/service/users', aUser({ username: spelled(index) })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.filter((reply) => reply.json.errorCode === 10103)).toHaveLength(19);
  });

  test('of many calls that rename towards one employee ID, exactly one wins and the others are told 10101', async () => {
    const people = await together(20, () => service.givenUser());
    const target = newId();
    const replies = await together(20, (index) =>
      service.updateBulk([anItem(people[index] as never, { newEmployeeID: target })]),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200));
    expect(replies.filter((reply) => successes(reply) === 1)).toHaveLength(1);
    const errors = replies
      .flatMap((reply) => reply.json.data.failedItems)
      .map((item) => item.error.errorCode);
    expect(errors).toEqual(Array(19).fill(10101));
  });

  test('calls that touch the same people in opposite order all succeed: no deadlock reaches a client', async () => {
    const people = await together(40, () => service.givenUser());
    for (let round = 0; round < 5; round++) {
      const replies = await together(8, (index) => {
        const items = people.map((user) => anItem(user, { phone: `${round}${index}${index}${index}` }));
        return service.updateBulk(index % 2 ? items.reverse() : items);
      });
      expect(replies.map(successes)).toEqual(Array(8).fill(people.length));
    }
  });

  test('calls that pass names around in circles, against each other, get verdicts and never a fault', async () => {
    const people = await together(6, () => service.givenUser());
    const names = people.map((user) => user.employeeID);
    const free = newId();
    for (let round = 0; round < 10; round++) {
      const replies = await together(6, (index) => {
        const order = [...names.slice(index), ...names.slice(0, index)];
        // Everyone moves up one place through the free name; another call moves them from another start.
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
        [people.map((user) => user.serial)],
      );
      expect(new Set(held.rows.map((row) => row.employee_id)).size).toBe(people.length);
      for (const { employee_id } of held.rows) expect([...names, free]).toContain(employee_id);
    }
  });

  test('an employee ID that changes hands within one call is never seen as missing by another', async () => {
    const target = newId();
    const [first, second] = [await service.givenUser({ employeeID: target }), await service.givenUser()];
    const spare = second.employeeID;
    const away = newId();
    let handing = true;
    // Each call leaves somebody under the target: the holder goes away, the spare one comes, the old holder is spare.
    const handOver = async () => {
      for (let round = 0; round < 60; round++) {
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

  test('two people who swap names by PATCH at the same moment get a verdict, never a deadlock', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await service.givenUser(), await service.givenUser()];
      const replies = await Promise.all([
        service.request('PATCH', `/service/users/${a.serial}`, { body: { employeeID: b.employeeID } }),
        service.request('PATCH', `/service/users/${b.serial}`, { body: { employeeID: a.employeeID } }),
      ]);
      for (const reply of replies) expect([200, 409]).toContain(reply.status);
    }
  });

  test('an email and a phone that are cleared at the same moment, one by PATCH, one in bulk: one of them is refused', async () => {
    for (let round = 0; round < 25; round++) {
      const user = await service.givenUser({ phone: '12345' });
      const [patched, updated] = await Promise.all([
        service.request('PATCH', `/service/users/${user.serial}`, { body: { email: null } }),
        service.updateBulk([anItem(user, { phone: null })]),
      ]);
      const refusals = [patched.json.errorCode, updated.json.data?.failedItems[0]?.error.errorCode].filter(
        Boolean,
      );
      expect(refusals).toEqual([10104]);
    }
  });

  test('of many PATCHes of the same version, exactly one wins and the others get 412', async () => {
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
