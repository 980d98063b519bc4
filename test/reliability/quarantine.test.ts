import { beforeAll, describe, expect, test } from 'vitest';
import { atTheGate, buildGates, closeGate } from '../support/gates.js';
import { errorOf, quarantineSettings } from '../support/quarantine.js';
import { aUser, newId, type Reply, useOwnService } from '../support/service.js';

const service = useOwnService(quarantineSettings);
beforeAll(() => buildGates(service));

const together = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

const patch = (serial: string, body: unknown) =>
  service.request('PATCH', `/service/users/${serial}`, { body });

type Kind = 'employeeID' | 'username';

/** Every way to give a name to a new user. */
const creates: readonly ((fields: Record<string, unknown>) => Promise<Reply>)[] = [
  (fields) => service.post('/service/users', aUser(fields)),
  (fields) => service.post('/service/users', aUser({ ...fields, password: 'a given password' })),
  (fields) => service.createBulk([aUser(fields)]),
  (fields) => service.upsertBulk([aUser(fields)]),
  (fields) => service.upsertBulk([aUser(fields)], '?mode=finalState'),
];

function serialIn({ json }: Reply): string | undefined {
  return json.data?.serial ?? json.data?.successItems?.[0]?.response.serial;
}

/** Whoever takes one of the names must have had it last, if anyone had it before. */
async function expectQuarantineKept(kind: Kind, names: readonly string[]): Promise<void> {
  const { rows } = await service.database.pool.query<{ serial: string; before: string; after: string }>(
    `SELECT user_serial AS serial, lower(fields -> $1 ->> 'before') AS before, lower(fields -> $1 ->> 'after') AS after
     FROM changes WHERE fields -> $1 IS NOT NULL ORDER BY seq`,
    [kind],
  );
  const last = new Map<string, string>();
  for (const { serial, before, after } of rows) {
    if (before !== null) last.set(before, serial);
    if (after !== null) expect(last.get(after) ?? serial, `${after} is kept`).toBe(serial);
  }
  for (const name of names) expect(last.has(name.toLowerCase()), `${name} was released`).toBe(true);
}

describe('races for names, on PostgreSQL', () => {
  test.each(['employeeID', 'username'] as const)(
    'nobody takes a released %s, however calls overlap',
    async (kind) => {
      const names = Array.from({ length: 8 }, () => newId('q'));
      for (const name of names) {
        // The name is free at first, so one of the creates gets it, and gives it up while others still try.
        await together(6, async (index) => {
          const reply = await (creates[index % creates.length] as (typeof creates)[0])({ [kind]: name });
          const serial = serialIn(reply);
          if (serial !== undefined) await patch(serial, { [kind]: newId('n') });
          expect(reply.status, reply.text).toBeLessThan(500);
        });
      }
      await expectQuarantineKept(kind, names);
    },
  );

  test('nobody takes a name while its user is being renamed', async () => {
    const names: string[] = [];
    for (let round = 0; round < 6; round++) {
      const user = await service.givenUser();
      names.push(user.employeeID);
      const others = await together(3, () => service.givenUser());
      const renames = [
        { employeeID: user.employeeID, newEmployeeID: newId(), name: 'Renamed', isActive: true },
      ];
      const replies = await Promise.all([
        service.updateBulk(renames, pick(['', '?mode=finalState'])),
        ...creates.map((create) => create({ employeeID: user.employeeID })),
        patch(others[0]?.serial as string, { employeeID: user.employeeID }),
        ...others.slice(1).map(({ employeeID }, at) => {
          const items = [{ employeeID, newEmployeeID: user.employeeID, name: 'Taker', isActive: true }];
          return service.updateBulk(items, at === 0 ? '' : '?mode=finalState');
        }),
      ]);
      for (const reply of replies) expect(reply.status, reply.text).toBeLessThan(500);
    }
    await expectQuarantineKept('employeeID', names);
  });
});

describe('a name that somebody takes and gives up between the plan and the write', () => {
  test.each([...creates.entries()])('is quarantined for create %i', async (_, create) => {
    const employeeID = newId('q');
    const gate = await closeGate(service, employeeID);
    const creating = create({ employeeID, ...atTheGate });
    await gate.reached();
    const { serial } = await service.givenUser({ employeeID });
    await patch(serial, { employeeID: newId('n') });
    await gate.open();
    expect(errorOf(await creating)).toMatchObject({ errorCode: 10101 });
    await expectQuarantineKept('employeeID', [employeeID]);
  });
});

test('of concurrent rehires of one user, exactly one succeeds, and one message is sent', async () => {
  for (let round = 0; round < 4; round++) {
    const { serial, employeeID } = await service.givenUser({ isActive: false });
    const body = aUser({ employeeID });
    const replies = await together(6, (index) =>
      index % 2
        ? service.post('/service/users?rehire=true', body)
        : service.createBulk([body], '?rehire=true'),
    );
    expect(replies.filter((reply) => serialIn(reply) === serial)).toHaveLength(1);
    const { rows } = await service.database.pool.query(
      `SELECT state FROM deliveries WHERE user_serial = $1 AND state <> 'cancelled'`,
      [serial],
    );
    expect(rows).toHaveLength(1);
  }
});
