import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../../support/bulk-items.js';
import { errorsOf } from '../../support/bulk-reports.js';
import { aUser, newId, type TestService, useOwnService, useService } from '../../support/service.js';
import { employeeIdExists, userNotFound, usernameExists } from '../../support/user-failures.js';

// The same calls on two services: one uses chunks of two items, the other a single chunk.
const cut = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });
const whole = useService();

const username = (employeeID: string, name: string | null) => itemFor(employeeID, { username: name ?? '' });

interface Scenario {
  readonly people: readonly Record<string, unknown>[];
  readonly items: readonly unknown[];
}

/** The report and the resulting rows, with serials replaced by the position of the user in the scenario. */
async function runOn(service: TestService, { people, items }: Scenario) {
  const serials: string[] = [];
  for (const person of people) serials.push((await service.givenUser(person)).serial);
  const reply = await service.updateBulk(items);
  const rows = await Promise.all(serials.map((serial) => service.readUser(serial)));
  const place = (text: string) =>
    serials.reduce((told, serial, at) => told.replace(serial, `of people[${at}]`), text);
  return {
    report: JSON.parse(reply.text, (key, value) => {
      if (key === 'detail') return place(value);
      return key === 'serial' ? serials.indexOf(value) : value;
    }),
    rows: rows.map(({ serial, createdAt, updatedAt, ...row }) => row),
  };
}

async function runOnBoth(scenario: Scenario) {
  const [inChunks, inOne] = [await runOn(cut, scenario), await runOn(whole, scenario)];
  expect(inChunks.report).toEqual(inOne.report);
  expect(inChunks.rows).toEqual(inOne.rows);
  return {
    report: inChunks.report,
    rows: inChunks.rows,
    errors: errorsOf({ json: inChunks.report }),
  };
}

const successesOf = (report: { data: { successItems: { response: { serial: number } }[] } }) =>
  report.data.successItems.map((entry) => entry.response.serial);

describe('a bulk update in several chunks behaves as in one', () => {
  test('positions in details count from the start of the call', async () => {
    const stranger = newId();
    const { errors } = await runOnBoth({
      people: [],
      items: Array.from({ length: 5 }, () => itemFor(stranger)),
    });
    expect(errors).toEqual([0, 1, 2, 3, 4].map((position) => userNotFound(`items[${position}]: `)));
  });

  test('an employee ID freed in one chunk is free in a later one', async () => {
    const [a, b, c] = [aUser(), aUser(), aUser()];
    const free = newId();
    const { report, rows } = await runOnBoth({
      people: [a, b, c],
      items: [rename(a.employeeID, free), itemFor(c.employeeID), rename(b.employeeID, a.employeeID)],
    });
    expect(successesOf(report)).toEqual([0, 2, 1]);
    expect(rows.map((row) => row.employeeID)).toEqual([free, a.employeeID, c.employeeID]);
  });

  test('a user is renamed once in each of three chunks', async () => {
    const a = aUser();
    const [b, c, d] = [newId(), newId(), newId()];
    const { report, rows } = await runOnBoth({
      people: [a],
      items: [rename(a.employeeID, b), 0, rename(b, c), 0, rename(c, d)],
    });
    expect(successesOf(report)).toEqual([0, 0, 0]);
    expect(rows).toMatchObject([{ employeeID: d }]);
  });

  test('a direct swap across chunks fails twice, and one through a third ID succeeds', async () => {
    const [a, b] = [aUser(), aUser()];
    const free = newId();
    const { errors, rows } = await runOnBoth({
      people: [a, b],
      items: [
        0,
        rename(a.employeeID, b.employeeID),
        rename(b.employeeID, a.employeeID),
        rename(a.employeeID, free),
        rename(b.employeeID, a.employeeID),
        rename(free, b.employeeID),
      ],
    });
    expect(errors).toMatchObject([
      { errorCode: 10105 },
      employeeIdExists('items[1]: '),
      employeeIdExists('items[2]: '),
    ]);
    expect(rows.map((row) => row.employeeID)).toEqual([b.employeeID, a.employeeID]);
  });

  test('a taken employee ID names the item of an earlier chunk', async () => {
    const [a, b] = [aUser(), aUser()];
    const free = newId();
    const { errors } = await runOnBoth({
      people: [a, b],
      items: [
        itemFor(b.employeeID),
        rename(a.employeeID, free),
        itemFor(b.employeeID),
        rename(b.employeeID, free),
      ],
    });
    expect(errors).toEqual([
      employeeIdExists(`items[3]: the employee ID "${free}" is already taken by items[1] of this call`),
    ]);
  });

  test('a taken username names the item of an earlier chunk', async () => {
    const [a, b] = [aUser(), aUser()];
    const free = newId('Free');
    const { errors } = await runOnBoth({
      people: [a, b],
      items: [username(a.employeeID, free), 0, 0, 0, username(b.employeeID, free.toUpperCase())],
    });
    expect(errors.at(-1)).toEqual(usernameExists('is already taken by items[0] of this call'));
  });

  test('a changed employee ID names the item of an earlier chunk', async () => {
    const a = aUser();
    const next = newId();
    const { errors } = await runOnBoth({
      people: [a],
      items: [rename(a.employeeID, next), 0, 0, itemFor(a.employeeID)],
    });
    expect(errors.at(-1)).toEqual(
      userNotFound(
        `items[3]: no user has the employee ID "${a.employeeID}". items[0] of this call changed it`,
      ),
    );
  });

  test('an existing user is named if items of earlier chunks failed or did not change the name', async () => {
    const [holder, a, b] = [aUser(), aUser(), aUser({ username: newId() })];
    const { errors } = await runOnBoth({
      people: [holder, a, b],
      items: [
        rename(a.employeeID, holder.employeeID),
        itemFor(holder.employeeID, { name: 'Holder' }),
        rename(b.employeeID, holder.employeeID),
        itemFor(holder.employeeID, { username: b.username }),
      ],
    });
    expect(errors).toEqual([
      employeeIdExists('items[0]: '),
      employeeIdExists(/items\[2\]: .* by another user with the serial of people\[0\]\.$/),
      usernameExists(/items\[3\]: .* by another user with the serial of people\[2\]\.$/),
    ]);
  });

  test('the last item that took the name is named, wherever the chunks end', async () => {
    const [a, b, c] = [aUser(), aUser(), aUser()];
    const wanted = newId();
    const hands = [
      rename(a.employeeID, wanted),
      rename(wanted, newId()),
      rename(b.employeeID, wanted),
      rename(c.employeeID, wanted),
    ];
    const { errors } = await runOnBoth({ people: [a, b, c], items: [0, ...hands] });
    expect(errors.at(-1)).toEqual(employeeIdExists(/^items\[4\]: .* by items\[3\] of this call/));
  });

  test('an ID reassigned in a later chunk selects its new holder', async () => {
    const [a, b] = [aUser(), aUser()];
    const { report, rows, errors } = await runOnBoth({
      people: [a, b],
      items: [
        rename(a.employeeID, newId()),
        itemFor(a.employeeID),
        rename(b.employeeID, a.employeeID),
        itemFor(a.employeeID, { name: 'The second' }),
      ],
    });
    expect(successesOf(report)).toEqual([0, 1, 1]);
    expect(errors).toEqual([userNotFound('items[1]: ')]);
    expect(rows[1]).toMatchObject({ employeeID: a.employeeID, name: 'The second' });
  });

  test('updates of one user in many chunks are applied in order, each on top of the previous', async () => {
    const a = aUser();
    const phones = ['101', '102', '103', '104', '105'];
    const { rows } = await runOnBoth({
      people: [a],
      items: phones.flatMap((phone, index) => [
        itemFor(a.employeeID, { phone, name: `Name ${index}` }),
        itemFor(a.employeeID, { name: `Name ${index}`, tagSerials: [phone] }),
      ]),
    });
    expect(rows).toMatchObject([{ phone: '105', tagSerials: ['105'], name: 'Name 4' }]);
  });

  test('a last chunk of one or two items is applied', async () => {
    for (const count of [3, 4]) {
      const people = Array.from({ length: count }, () => aUser());
      const { report } = await runOnBoth({
        people,
        items: people.map((person) => itemFor(person.employeeID)),
      });
      expect(successesOf(report)).toEqual(people.map((_, index) => index));
    }
  });
});
