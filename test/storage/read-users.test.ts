import { describe, expect, test } from 'vitest';
import { lockUsers, readUsers } from '../../src/storage/users/read-users.js';
import { givenCreates } from '../support/calls.js';
import { aUser, useService } from '../support/service.js';

const service = useService();

/** Users are read as one text, split at a character that earlier versions allowed in names. */
describe('users read together', () => {
  test.each([
    ['plain names', ['Ada Lovelace', 'Alan Turing']],
    ['a name that contains the separator', ['Ada\u001fLovelace', 'Alan Turing']],
    ['as many separators as a user has fields', ['Ada', `A${'\u001f'.repeat(14)}B`]],
    ['only names that contain it', ['A\u001fB', 'C\u001f\u001fD']],
    ['line breaks, quotes and backslashes', ['A\nB', 'O\'Hara "the\\best", {x},']],
  ])('match what is stored: %s', async (_, names) => {
    const users = names.map((name) => aUser({ name, tagSerials: ['TAG1', 'TAG2'] }));
    const { serials } = await givenCreates(
      service,
      users.map((user) => ({ ...user, name: 'Ada' })),
    );
    await service.database.pool.query(
      'UPDATE users SET name = new.name FROM unnest($1::uuid[], $2::text[]) AS new (serial, name) WHERE users.serial = new.serial',
      [serials, names],
    );
    const selection = { employeeIDs: users.map(({ employeeID }) => employeeID), usernames: [] };
    const { pool } = service.database;
    const read = await readUsers(pool, selection);
    expect(read.toSorted((a, b) => serials.indexOf(a.serial) - serials.indexOf(b.serial))).toEqual(
      users.map((user, at) => ({
        ...{ username: null, email: null, phone: null, organizationSerial: null },
        ...{ managerSerial: null, attributes: null, signInName: null, scim: null },
        ...user,
        serial: serials[at],
        version: 1,
      })),
    );
    const client = await pool.connect();
    await client.query('BEGIN');
    expect(await lockUsers(client, selection)).toEqual(
      read.toSorted((a, b) => (a.serial < b.serial ? -1 : 1)),
    );
    await client.query('ROLLBACK');
    client.release();
  });

  test('are none for an unknown employee ID', async () => {
    expect(await readUsers(service.database.pool, { employeeIDs: ['nobody'], usernames: [] })).toEqual([]);
  });
});
