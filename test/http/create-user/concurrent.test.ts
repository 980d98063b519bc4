import { describe, expect, test, vi } from 'vitest';
import { callIdOf, failuresOf, successesOf, undo, verdictsOf } from '../../support/calls.js';
import { givenClient } from '../../support/clients.js';
import {
  expectEachAnswered,
  type SendingClient,
  sendAtOnce,
  usersWithDoubles,
} from '../../support/concurrent-creates.js';
import {
  anItem,
  aUser,
  issueToken,
  newId,
  type Reply,
  type TestService,
  useService,
} from '../../support/service.js';

async function twoClients(service: TestService): Promise<SendingClient[]> {
  const clients: SendingClient[] = [];
  for (let index = 0; index < 2; index++) {
    const credentials = await givenClient(service);
    clients.push({
      ...{ clientId: credentials.clientId, service },
      token: await issueToken(service.url, credentials),
    });
  }
  return clients;
}

// All mixtures of names are tested in test/reliability/batched-creates.test.ts and test/storage/creations.test.ts.
describe.each([
  ['written in one batch', {}],
  ['written with a statement each', { ROLLCALL_CREATES_TOGETHER_MAX: '1' }],
])('concurrent creates %s', (_, environment) => {
  const service = useService(environment);

  test('get a reply each, whichever client sent them', async () => {
    const users = usersWithDoubles(40);
    const sent = await sendAtOnce(await twoClients(service), users);
    const created = await expectEachAnswered(service, sent);
    expect(new Set(sent.map(({ reply }) => reply.json.errorCode))).toEqual(
      new Set([undefined, 10101, 10103]),
    );
    for (const { fields, reply } of created.slice(0, 5)) {
      const { serial, createdAt, updatedAt, ...read } = await service.readUser(reply.json.data.serial);
      expect(read).toEqual({ ...fields, signInName: null, manager: null, attributes: {} });
      expect([serial, updatedAt]).toEqual([reply.json.data.serial, createdAt]);
    }
  });
});

describe('concurrent creates', () => {
  const service = useService();

  test('fail if the names are taken, with the employee ID checked first', async () => {
    const clients = await twoClients(service);
    const users = Array.from({ length: 8 }, () => aUser({ username: newId('u') }));
    const first = await sendAtOnce(clients, users);
    expect(first.map(({ reply }) => reply.status)).toEqual(users.map(() => 201));
    const wanted = users.flatMap((user, index) => [
      aUser({ employeeID: user.employeeID }),
      aUser({ username: user.username }),
      aUser({ employeeID: user.employeeID, username: users.at(index - 1)?.username }),
    ]);
    const again = await sendAtOnce(clients, wanted);
    expect(again.map(({ reply }) => [reply.status, reply.json.detail])).toEqual(
      first.flatMap(({ fields, reply }) => {
        const byHolder = `is already taken by another user with the serial ${reply.json.data.serial}.`;
        const forId = [409, `The employee ID "${fields.employeeID}" ${byHolder}`];
        return [forId, [409, `The username "${fields.username}" ${byHolder}`], forId];
      }),
    );
  });

  test('succeed if the holder gives up the name right after a conflict', async () => {
    const { context } = service;
    const holder = await service.givenUser();
    const { batchedCreate } = context;
    const creating = vi.spyOn(context, 'batchedCreate');
    creating.mockImplementationOnce(async (creation) => {
      const isCreated = await batchedCreate(creation);
      await service.updateBulk([anItem(holder, { newEmployeeID: newId() })]);
      return isCreated;
    });
    const reply = await service.post('/service/users', aUser({ employeeID: holder.employeeID }));
    const results = await Promise.all(creating.mock.results.map(({ value }) => value));
    creating.mockRestore();
    expect(results).toEqual([false, true]);
    expect(reply.status, reply.text).toBe(201);
    expect((await service.readUser(reply.json.data.serial)).employeeID).toBe(holder.employeeID);
  });

  test('alongside other creates, bulk creates and undos lose no user and cause no error', async () => {
    const names = Array.from({ length: 18 }, () => newId());
    const some = (index: number) => {
      const employeeID = names[(index * 7) % names.length] as string;
      return aUser({ employeeID, username: `${names[(index * 5) % names.length]}${index % 2 ? 'U' : 'u'}` });
    };
    const create =
      (more: object, headers = {}) =>
      (index: number) =>
        service.post('/service/users', { ...some(index), ...more }, { headers });
    const kinds = [
      create({}),
      create({}),
      create({ password: 'a password of theirs' }),
      (index: number) => create({}, { 'idempotency-key': newId('key') })(index),
    ];
    const singles: Promise<Reply>[] = [];
    const calls: Promise<{ bulk: Reply; undone: Reply | undefined }>[] = [];
    for (let index = 0; index < 40; index++) {
      singles.push((kinds[index % kinds.length] as (index: number) => Promise<Reply>)(index));
      if (index % 10 !== 0) continue;
      const items = [1, 2, 3, 4].map((step) => some(index + step));
      const run = async () => {
        const bulk = await service.createBulk(items);
        return { bulk, undone: index % 20 ? await undo(service, callIdOf(bulk)) : undefined };
      };
      calls.push(run());
    }
    const replies = await Promise.all(singles);
    for (const reply of replies) expect([201, 409], reply.text).toContain(reply.status);
    const left = replies.flatMap((reply) => (reply.status === 201 ? [reply.json.data.serial] : []));
    for (const { bulk, undone } of await Promise.all(calls)) {
      expect(bulk.status, bulk.text).toBe(200);
      for (const { error } of failuresOf(bulk)) expect([10101, 10103]).toContain(error.errorCode);
      const verdicts = Object.values(undone ? verdictsOf(undone) : {});
      expect(verdicts).toEqual(undone ? successesOf(bulk).map(() => 'deleted') : []);
      if (!undone) left.push(...successesOf(bulk).map(({ response }) => response.serial));
    }
    const { rows } = await service.database.pool.query(
      'SELECT serial FROM users WHERE employee_id = ANY ($1) ORDER BY serial',
      [names],
    );
    expect(rows.map(({ serial }) => serial)).toEqual(left.toSorted());
  });
});
