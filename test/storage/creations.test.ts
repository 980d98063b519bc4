import fc from 'fast-check';
import type pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { parseNewUser } from '../../src/domain/users/user-rules.js';
import { violatedConstraint } from '../../src/storage/errors.js';
import { type Creation, insertCreation, insertCreations } from '../../src/storage/users/insert-users.js';
import { aCreation, everythingOf } from '../support/creations.js';
import { oddTags } from '../support/field-samples.js';
import { aUser, newId, useService } from '../support/service.js';

const service = useService();
const isEmbedded = inject('engine') === 'embedded';
const batches = isEmbedded ? 12 : 40;
const patienceMs = 200;

/** Runs the work in a transaction that is rolled back. */
async function onTrial<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await service.database.pool.connect();
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Runs the work and rolls back what it wrote. */
async function triedOut<T>(tx: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT trial');
  try {
    return await work();
  } finally {
    await tx.query('ROLLBACK TO SAVEPOINT trial');
  }
}

/** The reference: inserts one after the other and skips those that violate an index. */
async function insertOneByOne(tx: pg.PoolClient, creations: readonly Creation[]): Promise<Set<string>> {
  const created = new Set<string>();
  for (const creation of creations) {
    await tx.query('SAVEPOINT one');
    try {
      await insertCreation(tx, creation);
      created.add(creation.user.serial);
    } catch (error) {
      if (violatedConstraint(error) === undefined) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT one');
    }
  }
  return created;
}

/** The order of the statement: by employee ID, then by arrival. */
function inOrder(creations: readonly Creation[]): Creation[] {
  const ids = [...new Set(creations.map(({ user }) => user.employeeID))].sort();
  return ids.flatMap((id) => creations.filter(({ user }) => user.employeeID === id));
}

async function expectAsOneByOne(existing: readonly Creation[], creations: readonly Creation[]) {
  await onTrial(async (tx) => {
    await insertOneByOne(tx, existing);
    const insert = async (work: () => Promise<Set<string>>) =>
      triedOut(tx, async () => ({
        created: await work(),
        stored: await everythingOf(tx, [...existing, ...creations]),
      }));
    const together = await insert(() => insertCreations(tx, creations, patienceMs));
    const oneByOne = await insert(() => insertOneByOne(tx, inOrder(creations)));
    expect(together).toEqual(oneByOne);
    expect(together.stored.length).toBeGreaterThanOrEqual(3 * together.created.size);
  });
}

const run = newId('P');
const odd = fc.oneof(
  fc.constantFrom(
    ...oddTags,
    "O'Hara",
    'ada',
    '{"a":1}',
    '\\x1f',
    '\u001f\u001f',
    '\ufffd',
    '\ufeffA',
    '\u0085x',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\u0000', '?')),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });

/** Few names, so that nearly every batch has conflicts. */
const fields = fc
  .record({
    employeeID: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'a', 'b').map((id) => run + id),
    name: odd.map((text) => `N${text}`),
    username: maybe(fc.constantFrom('u', 'U', 'v', 'V', 'w', 'W', 'x').map((name) => run + name)),
    email: maybe(fc.constantFrom('a@b.c', "o'hara@example.com", 'jörg@bücher.example')),
    phone: maybe(fc.constantFrom('911', ' (020) 7946-0958 ')),
    isActive: fc.boolean(),
    tagSerials: fc.array(odd, { maxLength: 4 }),
    organizationSerial: maybe(odd),
  })
  .filter((user) => parseNewUser(user, {}).ok);
const options = fc.record({
  requestId: odd,
  actor: fc.option(fc.record({ kind: fc.constantFrom('client', 'user'), id: odd })),
  inBulk: fc.boolean(),
  hold: fc.boolean(),
});
const creations = fc.array(fc.tuple(fields, options), { maxLength: 14, minLength: 1 });

describe('creations inserted together', () => {
  test(`leave the same rows as one by one, in ${batches} random batches`, async () => {
    const made = (all: readonly (readonly [unknown, object])[]) =>
      all.map(([user, more]) => aCreation(service.context.cipher, user, more));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fields, options), { maxLength: 4 }), creations, (before, batch) =>
        expectAsOneByOne(made(before), made(batch)),
      ),
      { numRuns: batches, verbose: 1 },
    );
  });

  const creation = (overrides: Record<string, unknown> = {}, more = {}) =>
    aCreation(service.context.cipher, aUser(overrides), more);

  test('keep the data of a hundred callers apart', async () => {
    const all = Array.from({ length: 100 }, (_, index) =>
      creation(
        {
          name: `Name ${index}`,
          username: newId('u'),
          email: index % 3 ? `${index}@example.com` : null,
          phone: index % 3 === 1 ? null : `${1000 + index}`,
          isActive: index % 2 === 0,
          tagSerials: oddTags.slice(0, index % 27),
          organizationSerial: index % 4 ? `O${index}` : null,
        },
        { requestId: `request ${index}`, actor: { kind: 'client', id: `client ${index % 7}` } },
      ),
    );
    await expectAsOneByOne([], all);
  });

  test('succeed only for the first of those that want the same name', async () => {
    const [employeeID, username] = [newId(), newId('u')];
    const byId = [1, 2, 3].map(() => creation({ employeeID }));
    const byUsername = [1, 2, 3].map((index) => creation({ employeeID: `${employeeID}x${index}`, username }));
    await onTrial(async (tx) => {
      const created = await insertCreations(tx, [...byUsername, ...byId], patienceMs);
      expect(created).toEqual(new Set([byId[0]?.user.serial, byUsername[0]?.user.serial]));
    });
  });

  test('all fail and leave nothing if all their names are taken', async () => {
    const taken = [creation({ username: newId('u') }), creation({ username: newId('u') })];
    const wanting = taken.flatMap(({ user }) => [
      creation({ employeeID: user.employeeID }),
      creation({ username: user.username?.toUpperCase() }),
    ]);
    await onTrial(async (tx) => {
      await insertOneByOne(tx, taken);
      expect(await insertCreations(tx, wanting, patienceMs)).toEqual(new Set());
      expect(await everythingOf(tx, wanting)).toEqual([]);
    });
  });

  test('keep every tag intact even if tags contain every possible separator', async () => {
    const characters = Array.from({ length: 0xd7ff }, (_, at) => String.fromCodePoint(at + 1));
    const tags = Array.from({ length: Math.ceil(characters.length / 64) }, (_, at) =>
      characters.slice(64 * at, 64 * (at + 1)).join(''),
    );
    const holdingAll = Array.from({ length: Math.ceil(tags.length / 100) }, (_, at) => {
      const plain = creation({});
      return { ...plain, user: { ...plain.user, tagSerials: tags.slice(100 * at, 100 * (at + 1)) } };
    });
    const other = creation({ tagSerials: ['a\ufffdb', 'c'] });
    await onTrial(async (tx) => {
      await insertCreations(tx, [...holdingAll, other], patienceMs);
      const { rows } = await tx.query('SELECT tag_serials FROM users WHERE serial = $1', [other.user.serial]);
      expect(rows).toEqual([{ tag_serials: ['a\ufffdb', 'c'] }]);
    });
  });

  test('restore the lock timeout of their connection, whether they succeed or fail', async () => {
    const client = await service.database.pool.connect();
    try {
      const lockTimeout = async () => (await client.query('SHOW lock_timeout')).rows[0].lock_timeout;
      const configured = await lockTimeout();
      const all = [creation(), creation()];
      await insertCreations(client, all, 12_345);
      expect(await lockTimeout()).toBe(configured);
      const { user, ...rest } = creation();
      const withoutContact = { ...rest, user: { ...user, email: null } };
      await expect(insertCreations(client, [withoutContact, creation()], 12_345)).rejects.toThrow(
        'users__contact',
      );
      expect(await lockTimeout()).toBe(configured);
      expect(await everythingOf(client, all)).toHaveLength(6);
    } finally {
      client.release();
    }
  });

  test('use the given lock timeout', async () => {
    await onTrial(async (tx) => {
      await insertCreations(tx, [creation(), creation()], 12_345);
      expect((await tx.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '12345ms' }]);
    });
  });
});
