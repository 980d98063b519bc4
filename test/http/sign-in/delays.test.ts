import { describe, expect, test } from 'vitest';
import { attemptGuards } from '../../../src/domain/access/sign-in-guard.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenNewcomer, givenPerson } from '../../support/people.js';
import { newId, type Reply, useOwnService } from '../../support/service.js';

// The test acts as a trusted proxy, so that each attempt can have its own address.
const service = useOwnService({
  ROLLCALL_TRUSTED_PROXIES: '127.0.0.1',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '4',
  ROLLCALL_SIGN_IN_DELAY_MAX_SECONDS: '100',
});

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

const keyOfName = (username: string) => attemptGuards(service.context.limits, username, '').name.key;
const keyOfAddress = (address: string) => attemptGuards(service.context.limits, '', address).address.key;

interface Guard {
  readonly failures: number;
  readonly waitSeconds: number;
  readonly openAt: string;
}

async function guardOf(key: string): Promise<Guard | undefined> {
  const { rows } = await service.database.pool.query<Guard>(
    `SELECT failures, round(extract(epoch FROM open_at - last_at), 3)::float8 AS "waitSeconds", open_at::text AS "openAt"
     FROM sign_in_guards WHERE key = $1`,
    [key],
  );
  return rows[0];
}

async function setWait(key: string, seconds: number): Promise<void> {
  await service.database.pool.query(
    'UPDATE sign_in_guards SET open_at = clock_timestamp() + make_interval(secs => $2) WHERE key = $1',
    [key, seconds],
  );
}

/** Ends the wait. */
const endWait = (key: string) => setWait(key, -1);

/** Moves the last failure into the past. */
async function age(key: string, hours: number): Promise<void> {
  await service.database.pool.query(
    `UPDATE sign_in_guards SET last_at = last_at - make_interval(mins => $2), open_at = open_at - make_interval(mins => $2)
     WHERE key = $1`,
    [key, Math.round(hours * 60)],
  );
}

/** Failures for one username, with its waits ended in between. */
async function failTimes(username: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await endWait(keyOfName(username));
    expectRefused(await attempt(username, 'wrong'));
  }
}

/** Simulates ten failures with two, so that the next wait is longer than any test takes. */
async function failTenTimes(key: string, fail: () => Promise<Reply>): Promise<void> {
  expectRefused(await fail());
  await service.database.pool.query('UPDATE sign_in_guards SET failures = 9 WHERE key = $1', [key]);
  expectRefused(await fail());
}

const makeNameWait = (username: string) =>
  failTenTimes(keyOfName(username), () => attempt(username, 'wrong'));

const makeAddressWait = (address: string) =>
  failTenTimes(keyOfAddress(address), () => attempt(newId('nobody'), 'wrong', address));

async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const before = service.context.passwords.hashesDone;
  await work();
  return service.context.passwords.hashesDone - before;
}

/** How many attempts per username fit into a time: five, and one more after 1, 3 and 7 seconds. */
const roomIn = (seconds: number) => 5 + Math.floor(Math.log2(seconds + 1));

describe('after five failures for a username', () => {
  // The first wait is one second, so a test that stalls that long is retried.
  test('the next attempt is delayed with 429, 10209 and Retry-After', { retry: 2 }, async () => {
    const { username } = await givenNewcomer(service);
    for (let count = 0; count < 5; count++) expectRefused(await attempt(username, 'wrong'));
    const reply = await attempt(username, 'wrong');
    expectDelayed(reply);
    expect(reply.headers.get('retry-after')).toBe('1');
  });

  test('the wait doubles with each failure, up to the maximum', async () => {
    const username = newId('nobody');
    await failTimes(username, 4);
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 9; count++) {
      await failTimes(username, 1);
      waits.push((await guardOf(keyOfName(username)))?.waitSeconds);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 100, 100]);
  });

  test('Retry-After is the remaining wait in whole seconds', async () => {
    const username = newId('nobody');
    await makeNameWait(username);
    for (const rest of [32, 31, 20]) {
      const start = performance.now();
      await setWait(keyOfName(username), rest);
      const seconds = Number((await attempt(username, 'wrong')).headers.get('retry-after'));
      const passed = (performance.now() - start) / 1000;
      expect(seconds).toBeLessThanOrEqual(rest);
      expect(seconds).toBeGreaterThan(rest - passed - 1); // however slow the machine is
    }
  });

  test('the correct password is delayed too, and not even hashed', async () => {
    const { username, password } = await givenNewcomer(service);
    await makeNameWait(username);
    expect(await hashesOf(async () => expectDelayed(await attempt(username, password)))).toBe(0);
  });

  test('further attempts do not extend the wait', async () => {
    const username = newId('nobody');
    await makeNameWait(username);
    const before = await guardOf(keyOfName(username));
    for (let count = 0; count < 5; count++) expectDelayed(await attempt(username, 'wrong'));
    expect(await guardOf(keyOfName(username))).toEqual(before);
  });

  test('the correct password works after the wait, and the failures are cleared', async () => {
    const { username, password } = await givenNewcomer(service);
    await makeNameWait(username);
    await endWait(keyOfName(username));
    expectSignedIn(await attempt(username, password));
    for (let count = 0; count < 4; count++) expectRefused(await attempt(username, 'wrong'));
    expectSignedIn(await attempt(username, password));
  });

  test('other users are not delayed', async () => {
    const { username, password } = await givenNewcomer(service);
    const other = newId('nobody');
    const address = newAddress();
    await makeNameWait(other);
    expectDelayed(await attempt(other, 'wrong', address));
    expectSignedIn(await attempt(username, password, address));
  });

  test('a password reset ends the wait', async () => {
    const { username, serial } = await givenPerson(service);
    await makeNameWait(username);
    await service.request('POST', `/service/users/${serial}/reset-password`);
    expectRefused(await attempt(username, 'wrong'));
  });

  test('the count is cleared a day after the last failure, but not an hour earlier', async () => {
    const [rested, restless] = [newId('nobody'), newId('nobody')];
    for (const username of [rested, restless]) await makeNameWait(username);
    await age(keyOfName(rested), 24.1);
    await age(keyOfName(restless), 23);
    await failTimes(rested, 1);
    await failTimes(restless, 1);
    expect(await guardOf(keyOfName(rested))).toMatchObject({ failures: 1, waitSeconds: 0 });
    expect(await guardOf(keyOfName(restless))).toMatchObject({ failures: 11, waitSeconds: 64 });
  });
});

describe('failures for an employee ID', () => {
  test('are not cleared by a user whose employee ID differs only in case', async () => {
    const [id, password] = [newId('Boss'), `initial ${newId()}`];
    const [upper, lower] = [id.toUpperCase(), id.toLowerCase()];
    await service.givenUser({ employeeID: upper, username: null, password: `${password} of another` });
    await service.givenUser({ employeeID: lower, username: null, password });
    for (let guess = 1; guess <= 4; guess++) expectRefused(await attempt(upper, 'wrong'));
    expectSignedIn(await attempt(lower, password));
    expect(await guardOf(keyOfName(upper))).toMatchObject({ failures: 4 });
    expectRefused(await attempt(upper, 'wrong'));
    expectDelayed(await attempt(upper, 'wrong'));
  });
});

describe('failures for a username', () => {
  test('are counted case-insensitively', async () => {
    const { username } = await givenNewcomer(service);
    for (const spelled of [username, username.toUpperCase(), username, username.toUpperCase(), username]) {
      expectRefused(await attempt(spelled, 'wrong'));
    }
    expect(await guardOf(keyOfName(username))).toMatchObject({ failures: 5, waitSeconds: 1 });
    await setWait(keyOfName(username), 60);
    for (const spelled of [username, username.toUpperCase()]) {
      expectDelayed(await attempt(spelled, 'wrong'));
    }
  });

  test('are counted alike whether or not the username exists', async () => {
    const deactivated = await givenNewcomer(service);
    await service.request('PATCH', `/service/users/${deactivated.serial}`, { body: { isActive: false } });
    const names = [newId('nobody'), (await givenNewcomer(service)).username, deactivated.username];
    const stories: unknown[] = [];
    for (const username of names) {
      const story: unknown[] = [];
      for (let count = 0; count < 9; count++) {
        const reply = await attempt(username, 'wrong');
        const { failures, waitSeconds } = (await guardOf(keyOfName(username))) as Guard;
        story.push([reply.status, reply.text, failures, waitSeconds]);
        await endWait(keyOfName(username));
      }
      stories.push(story);
    }
    expect(stories[1]).toEqual(stories[0]);
    expect(stories[2]).toEqual(stories[0]);
  });

  test('exclude successful sign-ins: the correct password is never delayed', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    for (let count = 0; count < 12; count++) expectSignedIn(await attempt(username, password, address));
    expect(await guardOf(keyOfName(username))).toBeUndefined();
  });

  test('are counted one by one: of 50 concurrent guesses, only those within the limit are checked', async () => {
    const { username } = await givenNewcomer(service);
    let replies: Reply[] = [];
    const start = performance.now();
    const hashes = await hashesOf(async () => {
      replies = await Promise.all(Array.from({ length: 50 }, () => attempt(username, 'wrong')));
    });
    const looked = replies.filter((reply) => reply.status === 401).length;
    expect(looked).toBeGreaterThanOrEqual(5);
    expect(looked).toBeLessThanOrEqual(roomIn((performance.now() - start) / 1000));
    expect(hashes).toBe(looked);
    for (const reply of replies) if (reply.status !== 401) expectDelayed(reply);
  });

  test('are counted one by one: of 50 guesses after a wait, one is checked', async () => {
    const username = newId('nobody');
    await makeNameWait(username);
    await endWait(keyOfName(username));
    const replies = await Promise.all(Array.from({ length: 50 }, () => attempt(username, 'wrong')));
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(49);
  });

  test('are stored without the username, since users may type passwords into the wrong field', async () => {
    const username = newId('CanaryTyped');
    const address = newAddress();
    expectRefused(await attempt(username, 'wrong', address));
    const { rows } = await service.database.pool.query<{ text: string }>(
      'SELECT guard::text AS text FROM sign_in_guards AS guard',
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const stored = rows.map(({ text }) => text.toLowerCase()).join('\n');
    expect(stored).not.toContain(username.toLowerCase());
    expect(stored).not.toContain(address);
  });
});

describe('after the free failures from an address', () => {
  async function failFrom(address: string, times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      await endWait(keyOfAddress(address));
      expectRefused(await attempt(newId('nobody'), 'wrong', address));
    }
  }

  test('all usernames are delayed there, even with the correct password, which is not hashed', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    await makeAddressWait(address);
    expectDelayed(await attempt(newId('nobody'), 'wrong', address));
    expect(await hashesOf(async () => expectDelayed(await attempt(username, password, address)))).toBe(0);
  });

  test('other addresses are not delayed', async () => {
    const { username, password } = await givenNewcomer(service);
    await makeAddressWait(newAddress());
    expectSignedIn(await attempt(username, password));
  });

  test('the wait doubles from one second up to a minute', async () => {
    const address = newAddress();
    await failFrom(address, 3);
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 8; count++) {
      await failFrom(address, 1);
      waits.push((await guardOf(keyOfAddress(address)))?.waitSeconds);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('successful sign-ins from there neither count nor clear the failures of others', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    await failFrom(address, 3);
    for (let count = 0; count < 3; count++) expectSignedIn(await attempt(username, password, address));
    expect(await guardOf(keyOfAddress(address))).toMatchObject({ failures: 3, waitSeconds: 0 });
    await failFrom(address, 1);
    expect(await guardOf(keyOfAddress(address))).toMatchObject({ failures: 4, waitSeconds: 1 });
  });

  test('attempts delayed for their username do not count for the address', async () => {
    const username = newId('nobody');
    const address = newAddress();
    await makeNameWait(username);
    for (let count = 0; count < 10; count++) expectDelayed(await attempt(username, 'wrong', address));
    expectRefused(await attempt(newId('nobody'), 'wrong', address));
  });

  test('attempts delayed for their address do not count for the username', async () => {
    const { username, password } = await givenNewcomer(service);
    const address = newAddress();
    await makeAddressWait(address);
    for (let count = 0; count < 10; count++) expectDelayed(await attempt(username, 'wrong', address));
    expectSignedIn(await attempt(username, password));
    expect(await guardOf(keyOfName(username))).toBeUndefined();
  });

  test('the count is cleared after fifteen minutes without a failure', async () => {
    const address = newAddress();
    await makeAddressWait(address);
    await age(keyOfAddress(address), 0.3);
    await failFrom(address, 1);
    expect(await guardOf(keyOfAddress(address))).toMatchObject({ failures: 1, waitSeconds: 0 });
  });

  test('concurrent attempts are counted one by one', async () => {
    const address = newAddress();
    await makeAddressWait(address);
    await endWait(keyOfAddress(address));
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => attempt(newId('nobody'), 'wrong', address)),
    );
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(29);
  });

  test('the whole IPv6 /64 network is delayed, in any notation, and no other', async () => {
    const network = `2001:db8:${newId('').slice(-3)}:7`;
    await makeAddressWait(`${network}::1`);
    const [first, second, third = ''] = network.split(':');
    const same = [
      `${network}::1`,
      `${network}::2`,
      `${network}:ffff:ffff:ffff:ffff`,
      `${network}:0:0:0:1`.toUpperCase(),
      `${first}:0${second}:${third.padStart(4, '0')}:0007::9`,
    ];
    for (const address of same) expectDelayed(await attempt(newId('nobody'), 'wrong', address));
    for (const address of [`2001:db8:${third}:8::1`, `2001:db8::7:0:0:${third}`]) {
      expectRefused(await attempt(newId('nobody'), 'wrong', address));
    }
  });

  test('neighboring IPv4 addresses are not delayed', async () => {
    await makeAddressWait('198.51.100.7');
    expectDelayed(await attempt(newId('nobody'), 'wrong', '198.51.100.7'));
    expectRefused(await attempt(newId('nobody'), 'wrong', '198.51.100.8'));
  });
});

describe('the address behind a trusted proxy', () => {
  test('is the last one added by the proxy, not one sent by the caller', async () => {
    const address = newAddress();
    for (let count = 0; count < 4; count++) {
      const forged = `${newAddress()}, ${address}`;
      expectRefused(await attempt(newId('nobody'), 'wrong', forged));
    }
    expect(await guardOf(keyOfAddress(address))).toMatchObject({ failures: 4, waitSeconds: 1 });
  });

  test.each([
    'unknown',
    '',
    ',',
    '_hidden',
    '1.2.3',
    '300.1.1.1',
    '::ffff:192.0.2.9',
    'fe80::1%eth0',
    '::',
    '::1',
  ])('may be malformed without causing an internal error: "%s"', async (address) => {
    expectRefused(await attempt(newId('nobody'), 'wrong', address));
  });

  test('may be of any length', async () => {
    expectRefused(await attempt(newId('nobody'), 'wrong', 'f'.repeat(8_000)));
  });
});
