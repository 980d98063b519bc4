import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { generatePassword, HashingBusy, PasswordHasher } from '../../src/domain/passwords/password.js';

const cheap = { memoryKib: 8_192, passes: 1, concurrency: 1, waitingMax: 10 };
const slow = { ...cheap, memoryKib: 19_456, passes: 2 };

describe('hash', () => {
  test('is salted argon2id with the parameters of the hasher', async () => {
    const hasher = new PasswordHasher({ ...cheap, memoryKib: 9_000, passes: 2 });
    const [one, two] = [await hasher.hash('a password'), await hasher.hash('a password')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=9000,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43,}$/);
    expect(two).not.toBe(one);
  });

  test('matches only its own password', async () => {
    const hasher = new PasswordHasher(cheap);
    const known = await hasher.hash('a password');
    expect(await hasher.matches('a password', known)).toBe(true);
    for (const other of ['a passwore', 'A password', 'a password ', '', 'a password\u0000', known]) {
      expect(await hasher.matches(other, known), other).toBe(false);
    }
  });

  test('covers the whole password, however long', async () => {
    const hasher = new PasswordHasher(cheap);
    const known = await hasher.hash(`${'🙈'.repeat(127)}🙉`);
    expect(await hasher.matches('🙈'.repeat(128), known)).toBe(false);
  });

  test('matches every Unicode form of the password', async () => {
    const hasher = new PasswordHasher(cheap);
    const known = await hasher.hash('Pässwört \ufb01'.normalize('NFC'));
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
      expect(await hasher.matches('Pässwört \ufb01'.normalize(form), known), form).toBe(true);
    }
  });

  test('that does not exist matches nothing, but costs one hash as well', async () => {
    const hasher = new PasswordHasher(cheap);
    for (const password of ['', 'a password', 'x'.repeat(10_000)]) {
      const before = hasher.hashesDone;
      expect(await hasher.matches(password, undefined)).toBe(false);
      expect(hasher.hashesDone - before).toBe(1);
    }
  });

  test('that does not exist takes as much work as any other, so that timing reveals nothing', async () => {
    const hasher = new PasswordHasher(slow);
    const known = await hasher.hash('a password');
    const cpuMicros = { known: 0, nobodys: 0 };
    const measure = async (whose: keyof typeof cpuMicros, against: string | undefined) => {
      const before = process.cpuUsage();
      await hasher.matches('another', against);
      const { user, system } = process.cpuUsage(before);
      cpuMicros[whose] += user + system;
    };
    await hasher.matches('another', undefined); // creates the dummy hash, once
    for (let round = 0; round < 5; round++) {
      await measure('known', known);
      await measure('nobodys', undefined);
    }
    // CPU work, not time, measured alternately, so that it holds on a busy machine. Without a hash, it would be near 0.
    const ratio = cpuMicros.nobodys / cpuMicros.known;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('is outdated for a hasher with other parameters, but still matches', async () => {
    const before = { ...cheap, memoryKib: 9_000, passes: 2 };
    const known = await new PasswordHasher(before).hash('a password');
    expect(new PasswordHasher(before).isOutdated(known)).toBe(false);
    for (const other of [{ memoryKib: 8_200 }, { memoryKib: 9_001 }, { passes: 1 }]) {
      const hasher = new PasswordHasher({ ...before, ...other });
      expect(hasher.isOutdated(known)).toBe(true);
      expect(await hasher.matches('a password', known)).toBe(true);
    }
  });

  test('is outdated even if its parameters share a prefix', async () => {
    const current = await new PasswordHasher(cheap).hash('a password');
    expect(new PasswordHasher(cheap).isOutdated(current)).toBe(false);
    const known = current.replace('t=1,', 't=10,');
    expect(known).not.toBe(current);
    expect(new PasswordHasher(cheap).isOutdated(known)).toBe(true);
  });
});

describe('queue', () => {
  test('is bounded: further requests are rejected immediately, without a hash', async () => {
    const hasher = new PasswordHasher({ ...cheap, waitingMax: 2 });
    const known = await hasher.hash('a');
    await hasher.matches('a', undefined); // creates the dummy hash, once
    const taken = [hasher.hash('a'), hasher.hash('b'), hasher.hash('c')];
    await expect(hasher.hash('d')).rejects.toThrow(HashingBusy);
    await expect(hasher.matches('d', known)).rejects.toThrow(HashingBusy);
    await expect(hasher.matches('d', undefined)).rejects.toThrow(HashingBusy);
    expect(await Promise.all(taken)).toHaveLength(3);
    expect(hasher.hashesDone).toBe(5);
  });

  test('has room again as soon as a hash is done', async () => {
    const hasher = new PasswordHasher({ ...cheap, waitingMax: 1 });
    const [first, second] = [hasher.hash('a'), hasher.hash('b')];
    await expect(hasher.hash('c')).rejects.toThrow(HashingBusy);
    await first;
    const third = hasher.hash('c');
    await expect(hasher.hash('d')).rejects.toThrow(HashingBusy);
    await Promise.all([second, third]);
    await expect(hasher.hash('d')).resolves.toMatch(/^\$argon2id/);
  });

  test('runs up to the allowed number of hashes concurrently', async () => {
    const hasher = new PasswordHasher({ ...slow, concurrency: 2, waitingMax: 10 });
    const all = Array.from({ length: 5 }, () => hasher.hash('a password'));
    let done = 0;
    for (const one of all) one.then(() => done++);
    let most = 0;
    while (done < all.length) {
      most = Math.max(most, hasher.hashesDone - done);
      await turn();
    }
    expect(most).toBe(2);
  });

  test('is served in order of arrival', async () => {
    const hasher = new PasswordHasher(cheap);
    const order: number[] = [];
    await Promise.all([0, 1, 2, 3, 4].map((index) => hasher.hash('a').then(() => order.push(index))));
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  test('continues after a malformed hash', async () => {
    const hasher = new PasswordHasher(cheap);
    const broken = [hasher.matches('a', 'no hash at all'), hasher.matches('a', '$argon2id$v=19$broken')];
    const good = hasher.hash('a');
    for (const outcome of await Promise.allSettled(broken)) {
      expect(outcome.status === 'rejected' || outcome.value === false).toBe(true);
    }
    expect(await good).toMatch(/^\$argon2id/);
    expect(await hasher.hash('b')).toMatch(/^\$argon2id/);
  });

  test('leaves room for others while many passwords are hashed, a few at a time and in order', async () => {
    const hasher = new PasswordHasher({ ...cheap, concurrency: 2, waitingMax: 2 });
    const passwords = Array.from({ length: 16 }, (_, index) => `password ${index}`);
    const hashing = hasher.hashAll(passwords);
    expect(await hasher.matches('somebody', undefined)).toBe(false);
    expect(hasher.hashesDone, 'somebody was not the last one').toBeLessThan(16);
    const hashes = await hashing;
    expect(hashes).toHaveLength(16);
    for (const index of [0, 1, 15]) {
      expect(await hasher.matches(`password ${index}`, hashes[index])).toBe(true);
    }
  });

  test('does nothing for an empty list', async () => {
    const hasher = new PasswordHasher(cheap);
    expect(await hasher.hashAll([])).toEqual([]);
    expect(hasher.hashesDone).toBe(0);
  });
});

describe('hashing', () => {
  test('does not block the event loop', async () => {
    const hasher = new PasswordHasher(slow);
    let isDone = false;
    const hashing = hasher.hash('a').then(() => {
      isDone = true;
    });
    let turns = 0;
    for (; !isDone; turns++) await turn();
    await hashing;
    expect(turns).toBeGreaterThan(1);
  });
});

describe('generated password', () => {
  const many = Array.from({ length: 500 }, generatePassword);

  test('has 23 characters, none of them easy to confuse', () => {
    for (const password of many) {
      expect(password).toMatch(/^[A-Za-z0-9]{23}$/);
      expect(password).not.toMatch(/[l1IoO0]/);
    }
  });

  test('uses the whole alphabet, and never repeats', () => {
    expect(new Set(many).size).toBe(many.length);
    expect(new Set(many.join('')).size).toBe(56);
  });
});
