import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { givenUpdates } from '../../support/calls.js';
import { patternOf, securedOperations } from '../../support/secured-operations.js';
import { aUser, type GivenUser, newId, type Reply, useService } from '../../support/service.js';

/**
 * A client with users:write but without users:read changes users and reads nothing: no reply of any operation, in any
 * mode, contains a user value that the request didn't contain.
 */
const service = useService();
let writeOnly: string;
beforeAll(async () => {
  writeOnly = await service.tokenFor('users:write');
});

/** Unique values, so that any leak is found. */
function distinctive() {
  return {
    employeeID: newId('Id'),
    name: newId('Name '),
    username: newId('user'),
    email: `${newId('mail')}@example.com`,
    phone: `+44 ${randomInt(1e9, 1e10)}`,
    tagSerials: [newId('tag')],
    organizationSerial: newId('org'),
  };
}

const givenSignedInUser = () => service.givenUser(distinctive());

interface Sent {
  readonly method?: 'DELETE' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What is sent, the users involved, and those whose serials the report may contain because they succeeded. */
interface Scene extends Sent {
  readonly users: readonly GivenUser[];
  readonly told?: readonly GivenUser[];
  readonly status: number;
}

interface Row {
  readonly operation: string;
  readonly what: string;
  scene(): Promise<Scene>;
}

function send({ method = 'POST', path, body, headers }: Sent, token: string): Promise<Reply> {
  return service.request(method, path, { body, headers: headers ?? {}, token });
}

/** Sent first by the same client with a token that may read, so that the next request replays the stored response. */
async function answered(sent: Sent): Promise<Sent> {
  const withKey = { ...sent, headers: { 'idempotency-key': newId('key') } };
  await send(withKey, service.token);
  return withKey;
}

const createRows: Row[] = (['employeeID', 'username'] as const).flatMap((name) =>
  [false, true].map((isReplay) => ({
    operation: 'POST /service/users',
    what: `a taken ${name}${isReplay ? ', replayed' : ''}`,
    scene: async () => {
      const holder = await givenSignedInUser();
      const sent = { path: '/service/users', body: aUser({ [name]: holder[name] }) };
      return { ...(isReplay ? await answered(sent) : sent), users: [holder], status: 409 };
    },
  })),
);

/** Each report, mode and kind of answer at least once. */
const reports = [
  ['?mode=oneByOne&effects=true', false],
  ['?mode=oneByOne', true],
  ['?mode=finalState&dryRun=true', false],
  ['?mode=finalState&effects=true', true],
] as const;

const bulkCreateRows: Row[] = reports.map(([query, isReplay]) => ({
  operation: 'POST /service/users/create-bulk',
  what: `${query}${isReplay ? ', replayed' : ''}`,
  scene: async () => {
    const holder = await givenSignedInUser();
    const body = {
      items: [
        aUser(),
        aUser({ employeeID: holder.employeeID }),
        aUser({ username: holder.username }),
        aUser({ email: 'none' }),
      ],
    };
    const sent = { path: `/service/users/create-bulk${query.replace(/mode=\w+&?/, '')}`, body };
    return { ...(isReplay ? await answered(sent) : sent), users: [holder], status: 200 };
  },
}));

const bulkChangeRows: Row[] = ['update-bulk', 'upsert-bulk'].flatMap((kind) =>
  reports.map(([query, isReplay]) => ({
    operation: `POST /service/users/${kind}`,
    what: `${query}${isReplay ? ', replayed' : ''}`,
    scene: async () => {
      const given = await Promise.all(Array.from({ length: 5 }, givenSignedInUser));
      const [changed, renamed, wantsId, wantsName, holder] = given as [
        GivenUser,
        GivenUser,
        GivenUser,
        GivenUser,
        GivenUser,
      ];
      const item = ({ employeeID }: { employeeID: string }, change: object) => ({
        employeeID,
        name: 'Grace',
        isActive: false,
        ...change,
      });
      const all = { username: newId('u'), phone: '111', tagSerials: ['t'], organizationSerial: 'o' };
      const items = [
        item(changed, all),
        item(renamed, { newEmployeeID: newId(), username: '' }),
        item(wantsId, { newEmployeeID: holder.employeeID }),
        item(wantsName, { username: holder.username }),
        item({ employeeID: newId() }, {}),
      ];
      const sent = { path: `/service/users/${kind}${query}`, body: { items } };
      const told = [changed, renamed];
      return { ...(isReplay ? await answered(sent) : sent), users: given, told, status: 200 };
    },
  })),
);

const patches: Record<string, [status: number, patch: (holder: GivenUser) => object, ifMatch?: string]> = {
  'no change': [200, () => ({})],
  'one field': [200, () => ({ phone: '+111' })],
  'a removed contact': [200, () => ({ email: null })],
  'a taken employeeID': [409, ({ employeeID }) => ({ employeeID })],
  'a taken username': [409, ({ username }) => ({ username })],
  'no contact and a taken username': [409, ({ username }) => ({ username, email: null, phone: null })],
  'another version': [412, () => ({ phone: '+111' }), '"7"'],
};

const patchRows: Row[] = Object.entries(patches).map(([what, [status, patch, ifMatch]]) => ({
  operation: 'PATCH /service/users/*',
  what,
  scene: async () => {
    const [user, holder] = (await Promise.all([givenSignedInUser(), givenSignedInUser()])) as [
      GivenUser,
      GivenUser,
    ];
    return {
      method: 'PATCH',
      path: `/service/users/${user.serial}`,
      body: patch(holder),
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      users: [user, holder],
      status,
    };
  },
}));

/** A call of another client that changed every field, of users some of whom cannot be restored. */
async function strangersCall(): Promise<{ path: string; users: GivenUser[]; told: GivenUser[] }> {
  const given = await Promise.all(Array.from({ length: 4 }, givenSignedInUser));
  const [restored, lostId, lostUsername, changedSince] = given as [
    GivenUser,
    GivenUser,
    GivenUser,
    GivenUser,
  ];
  const items = given.map(({ employeeID }) => {
    const { email: _, employeeID: newEmployeeID, ...change } = distinctive();
    return { employeeID, newEmployeeID, ...change, isActive: false };
  });
  const callId = await givenUpdates(service, items);
  const ids = await Promise.all([
    service.givenUser({ ...distinctive(), employeeID: lostId.employeeID }),
    service.givenUser({ ...distinctive(), username: lostUsername.username }),
    service.request('PATCH', `/service/users/${changedSince.serial}`, { body: distinctive() }),
  ]);
  const asItIsNow = items.map((item, index) => ({ ...item, serial: given[index]?.serial }) as GivenUser);
  const users = [...given, ...asItIsNow, ...(ids.slice(0, 2) as GivenUser[])];
  return { path: `/service/calls/${callId}/undo`, users, told: [restored] };
}

const undoRows: Row[] = ['', '?dryRun=true'].map((query) => ({
  operation: 'POST /service/calls/*/undo',
  what: query,
  scene: async () => {
    const { path, ...rest } = await strangersCall();
    return { path: `${path}${query}`, ...rest, status: 200 };
  },
}));

const languageRow: Row = {
  operation: 'PUT /service/users/*/language',
  what: '',
  scene: async () => {
    const user = await givenSignedInUser();
    const path = `/service/users/${user.serial}/language`;
    return { method: 'PUT', path, body: { language: 'de' }, users: [user], status: 200 };
  },
};

const rows = [...createRows, ...bulkCreateRows, ...bulkChangeRows, ...patchRows, ...undoRows, languageRow];

/** All text values of a user. */
function valuesOf({ isActive: _, ...user }: GivenUser): string[] {
  return Object.values(user)
    .flat()
    .filter((value): value is string => typeof value === 'string');
}

/** What the reply reveals and the request doesn't contain. */
async function leaksOf({ scene, operation, what }: Row): Promise<unknown[]> {
  const { users, told = [], status, ...sent } = await scene();
  const reply = await send(sent, writeOnly);
  expect(reply.status, reply.text).toBe(status);
  const own = JSON.stringify(sent);
  const allowed = new Set(told.map(({ serial }) => serial));
  const secrets = users.flatMap(valuesOf).filter((value) => !own.includes(value) && !allowed.has(value));
  expect(secrets.length).toBeGreaterThan(0);
  const answer = `${reply.text}\n${[...reply.headers].join('\n')}`;
  const leaks = [...secrets, '"before"'].filter((value) => answer.includes(value));
  return leaks.length === 0 ? [] : [{ operation, what, leaks }];
}

describe('a token without users:read reads nothing', () => {
  test.each([...new Set(rows.map(({ operation }) => operation))])('from %s', async (operation) => {
    const own = rows.filter((row) => row.operation === operation);
    expect((await Promise.all(own.map(leaksOf))).flat()).toEqual([]);
  });

  test('and every operation of users:write is covered', () => {
    const operations = securedOperations
      .filter(({ scope, alsoScope }) => scope === 'users:write' && alsoScope === undefined)
      .map(patternOf);
    expect([...new Set(rows.map(({ operation }) => operation))].sort()).toEqual(operations.sort());
  });

  test('not even how many users match: update-matching is refused and changes nothing', async () => {
    const { serial, organizationSerial } = await givenSignedInUser();
    const body = { filter: { organizationSerial }, patch: { isActive: false } };
    for (const query of ['?confirm=1', '?dryRun=true', '']) {
      const reply = await send({ path: `/service/users/update-matching${query}`, body }, writeOnly);
      expect([reply.status, reply.json.errorCode]).toEqual([403, 10203]);
      expect(reply.json.data).toEqual({ scope: 'users:read' });
    }
    expect(await service.readUser(serial)).toMatchObject({ isActive: true });
  });
});

describe('a token without users:read receives', () => {
  const patch = (serial: string, body: unknown) =>
    send({ method: 'PATCH', path: `/service/users/${serial}`, body }, writeOnly);

  test('the serial and version from a PATCH, which it can use in If-Match', async () => {
    const { serial } = await givenSignedInUser();
    const first = await patch(serial, { phone: '+111' });
    expect(first.json).toEqual({ status: 'success', message: 'User updated.', data: { serial, version: 2 } });
    const etag = first.headers.get('etag');
    expect(etag).toBe('"2"');
    const headers = { 'if-match': etag as string };
    const second = await service.request('PATCH', `/service/users/${serial}`, {
      body: { phone: '+222' },
      headers,
      token: writeOnly,
    });
    expect(second.json.data).toEqual({ serial, version: 3 });
    expect((await service.readUser(serial)).phone).toBe('+222');
  });

  test('the effect of an item as far as sent, and that a name is taken', async () => {
    const [user, holder] = (await Promise.all([givenSignedInUser(), givenSignedInUser()])) as [
      GivenUser,
      GivenUser,
    ];
    const { employeeID } = user;
    const items = [
      { employeeID, name: 'Grace', phone: '+111', isActive: true },
      { employeeID, name: 'Grace', newEmployeeID: holder.employeeID, isActive: true },
    ];
    const sent = { path: '/service/users/update-bulk?effects=true&details=true', body: { items } };
    const { successItems, failedItems } = (await send(sent, writeOnly)).json.data;
    expect(successItems[0]).toMatchObject({
      response: { serial: user.serial },
      effect: { kind: 'updated', fields: { name: { after: 'Grace' }, phone: { after: '+111' } } },
    });
    expect(failedItems[0]).toMatchObject({
      error: {
        errorCode: 10101,
        detail: `items[1]: the employee ID "${holder.employeeID}" is already taken by another user.`,
        data: {
          takenBy: { field: 'employeeID', value: holder.employeeID, position: null, serial: null },
        },
      },
    });
  });

  test('the fields an undo restores, and why it skips a user', async () => {
    const { path, told } = await strangersCall();
    const { successItems, failedItems } = (await send({ path }, writeOnly)).json.data;
    const fields = { employeeID: {}, name: {}, username: {}, phone: {}, isActive: {} };
    expect(successItems).toEqual([
      {
        payload: {},
        position: 0,
        response: { serial: told[0]?.serial },
        effect: { kind: 'updated', fields: { ...fields, organizationSerial: {}, tagSerials: {} } },
      },
    ]);
    expect(failedItems).toEqual([
      {
        payload: {},
        position: 1,
        error: {
          errorCode: 10101,
          message: 'USER_EMPLOYEE_ID_EXISTS',
          detail: 'The previous employee ID is already taken by another user.',
          reason: 'The previous employee ID is already taken by another user.',
        },
      },
      {
        payload: {},
        position: 2,
        error: {
          errorCode: 10103,
          message: 'USER_USERNAME_EXISTS',
          detail: 'The previous username is already taken by another user.',
          reason: 'The previous username is already taken by another user.',
        },
      },
      {
        payload: {},
        position: 3,
        error: {
          errorCode: 10110,
          message: 'USER_CHANGED_SINCE',
          detail: expect.any(String),
          reason: expect.any(String),
          data: { fields: expect.any(Array) },
        },
      },
    ]);
  });
});
