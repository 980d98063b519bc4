import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { anItem, newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer } from '../../support/signed-in-users.js';
import {
  addressKey,
  failuresOf,
  hashesOf,
  nameKey,
  setWait,
  strictSignIn,
  userKey,
} from '../../support/strict-sign-in.js';

// How long the waits are is tested in test/storage.
const service = useService(strictSignIn);

let addresses = 0;

/** An address that nothing else uses. */
function newAddress(): string {
  addresses++;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
}

function attempt(username: string, password: string, from = newAddress()): Promise<Reply> {
  const headers = { 'x-forwarded-for': from };
  return service.post('/service/auth/sign-in', { username, password }, { token: null, headers });
}

function expectDelayed(reply: Reply): void {
  const detail =
    /^There were too many failed attempts for this name or from this address\. Try again in \d+ s\.$/;
  expectFailure(reply, 429, 10209, 'ACCESS_SIGN_IN_DELAYED', detail);
  const seconds = reply.headers.get('retry-after');
  expect(reply.json.detail).toContain(`in ${seconds} s.`);
  expect(Number(seconds)).toBeGreaterThanOrEqual(1);
  expect(reply.headers.get('cache-control')).toBe('no-store');
}

function expectRefused(reply: Reply): void {
  expectFailure(
    reply,
    401,
    10208,
    'ACCESS_SIGN_IN_FAILED',
    /^The username, employee ID or password is wrong/,
  );
}

function expectSignedIn(reply: Reply): void {
  expect(reply.json.message).toMatch(/^Signed in/);
}

/** Five failures, after which the name waits: a second, and here longer than any test takes. */
async function makeNameWait(username: string): Promise<void> {
  for (let count = 0; count < 5; count++) expectRefused(await attempt(username, 'wrong'));
  const key = nameKey(service, username);
  const { rows } = await service.database.pool.query(
    'SELECT extract(epoch FROM open_at - last_at)::float8 AS seconds FROM sign_in_guards WHERE key = $1',
    [key],
  );
  expect(rows).toEqual([{ seconds: 1 }]);
  await setWait(service, key, 90);
}

/** The same for an address, after the four failures that are free here. */
async function makeAddressWait(address: string): Promise<void> {
  for (let count = 0; count < 4; count++) expectRefused(await attempt(newId('nobody'), 'wrong', address));
  await setWait(service, addressKey(service, address), 90);
}

describe('after five failures for a username', () => {
  test('even the correct password is delayed and not hashed, until the wait is over, which clears the failures', async () => {
    const { username, password } = await givenNewcomer(service);
    await makeNameWait(username);
    const delayed = () => attempt(username.toUpperCase(), password);
    expect(await hashesOf(service, async () => expectDelayed(await delayed()))).toBe(0);
    expect(await failuresOf(service, nameKey(service, username)), 'it does not count').toBe(5);
    await setWait(service, nameKey(service, username), -1);
    expectSignedIn(await attempt(username, password));
    expect(await failuresOf(service, nameKey(service, username))).toBe(0);
  });

  test('other users are not delayed, not even from the same address', async () => {
    const { username, password } = await givenNewcomer(service);
    const [other, address] = [newId('nobody'), newAddress()];
    await makeNameWait(other);
    expectDelayed(await attempt(other, 'wrong', address));
    expectSignedIn(await attempt(username, password, address));
  });
});

describe('failures', () => {
  test('for an employee ID are not cleared by a user whose employee ID differs only in case', async () => {
    const [id, password] = [newId('Boss'), `initial ${newId()}`];
    const [upper, lower] = [id.toUpperCase(), id.toLowerCase()];
    await service.givenUser({ employeeID: upper, username: null, password: `${password} of another` });
    await service.givenUser({ employeeID: lower, username: null, password });
    for (let guess = 1; guess <= 4; guess++) expectRefused(await attempt(upper, 'wrong'));
    expectSignedIn(await attempt(lower, password));
    expect(await failuresOf(service, nameKey(service, upper))).toBe(4);
    expectRefused(await attempt(upper, 'wrong'));
    await setWait(service, nameKey(service, upper), 90);
    expectDelayed(await attempt(lower, password));
  });

  test('for a user remain when the employee ID changes, and end with a sign-in or a reset', async () => {
    const user = await givenNewcomer(service);
    const { serial, username, password } = user;
    const failures = () => failuresOf(service, userKey(service, serial));
    let { employeeID } = user;
    for (let guess = 1; guess <= 10; guess++) {
      expectRefused(await attempt(employeeID, 'wrong'));
      const item = { ...anItem({ employeeID, name: 'X' }), newEmployeeID: newId() };
      await service.updateBulk([item]);
      employeeID = item.newEmployeeID;
    }
    await setWait(service, userKey(service, serial), 90);
    expectDelayed(await attempt(employeeID, password));
    expectDelayed(await attempt(username, password));
    await setWait(service, userKey(service, serial), -1);
    expectSignedIn(await attempt(username, password));
    expect(await failures()).toBe(0);
    expectRefused(await attempt(username, 'wrong'));
    await service.request('POST', `/service/users/${serial}/reset-password`);
    expect(await failures()).toBe(0);
  });

  test('are counted alike whether or not the username exists', async () => {
    const [known, deactivated] = [await givenNewcomer(service), await givenNewcomer(service)];
    await service.request('PATCH', `/service/users/${deactivated.serial}`, { body: { isActive: false } });
    const tellStory = async (username: string) => {
      const story: unknown[] = [];
      for (let count = 0; count < 5; count++) {
        const { status, text } = await attempt(username, 'wrong');
        story.push([status, text, await failuresOf(service, nameKey(service, username))]);
      }
      await setWait(service, nameKey(service, username), 1_000);
      return [...story, (await attempt(username, 'wrong')).status];
    };
    const [nobody, ...others] = await Promise.all(
      [newId('nobody'), known.username, deactivated.username].map(tellStory),
    );
    expect(others).toEqual([nobody, nobody]);
  });

  test('exclude successful sign-ins: the correct password is never delayed', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    for (let count = 0; count < 6; count++) expectSignedIn(await attempt(username, password, address));
    expect(await failuresOf(service, nameKey(service, username))).toBe(0);
    expect(await failuresOf(service, addressKey(service, address))).toBe(0);
  });

  test('are stored without the username, since users may type passwords into the wrong field', async () => {
    const [username, address] = [newId('CanaryTyped'), newAddress()];
    expectRefused(await attempt(username, 'wrong', address));
    const { rows } = await service.database.pool.query<{ text: string }>(
      'SELECT lower(guard::text) AS text FROM sign_in_guards AS guard',
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { text } of rows) {
      expect(text).not.toContain(username.toLowerCase());
      expect(text).not.toContain(address);
    }
  });
});

describe('after the free failures from an address', () => {
  test('all usernames are delayed there, even with the correct password, which is not hashed', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    await makeAddressWait(address);
    expect(
      await hashesOf(service, async () => expectDelayed(await attempt(username, password, address))),
    ).toBe(0);
    expectSignedIn(await attempt(username, password));
  });

  test('successful sign-ins from there neither count nor clear the failures of others', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    for (let count = 0; count < 3; count++) expectRefused(await attempt(newId('nobody'), 'wrong', address));
    for (let count = 0; count < 2; count++) expectSignedIn(await attempt(username, password, address));
    expect(await failuresOf(service, addressKey(service, address))).toBe(3);
  });

  test('the whole IPv6 /64 network is delayed, and no other', async () => {
    await makeAddressWait('2001:db8:a:7::1');
    expectDelayed(await attempt(newId('nobody'), 'wrong', '2001:db8:a:7:ffff::2'));
    expectRefused(await attempt(newId('nobody'), 'wrong', '2001:db8:a:8::1'));
  });
});

describe('the address behind a trusted proxy', () => {
  test('is the last one added by the proxy, not one sent by the caller', async () => {
    const [address, forged] = [newAddress(), newAddress()];
    expectRefused(await attempt(newId('nobody'), 'wrong', `${forged}, ${address}`));
    expect(await failuresOf(service, addressKey(service, address))).toBe(1);
    expect(await failuresOf(service, addressKey(service, forged))).toBe(0);
  });

  test('may be malformed or of any length without causing an internal error', async () => {
    const malformed = [
      'unknown',
      ',',
      '_hidden',
      '1.2.3',
      '300.1.1.1',
      '::ffff:192.0.2.9',
      'fe80::1%eth0',
      '::',
    ];
    for (const address of [...malformed, 'f'.repeat(8_000)]) {
      expectRefused(await attempt(newId('nobody'), 'wrong', address));
    }
  });
});
