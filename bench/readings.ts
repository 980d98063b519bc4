import type pg from 'pg';
import { fingerprintOf, writeCursor } from '../src/domain/cursor.js';

/** One kind of read: the request to the service, and the query that a developer would write for the same task. */
export interface Reading {
  readonly name: string;
  /** Whether the cost is by nature independent of the number of users: a single user, or a page along an index. */
  readonly isPlain: boolean;
  /** Sent in turn. */
  readonly requests: readonly { readonly path: string; readonly values: readonly unknown[] }[];
  readonly text: string;
}

const columns = `serial, employee_id, name, username, email, phone, is_active, tag_serials, organization_serial, created_at,
  updated_at, version`;
/** A page of 50, and one more row to tell whether there are more. */
const page = 'LIMIT 51';

const orders = {
  createdAt: { order: 'serial ASC', after: 'serial > $1' },
  employeeID: { order: 'employee_id ASC', after: 'employee_id > $1' },
  name: {
    order: 'name COLLATE "und-x-icu" ASC, serial ASC',
    after: '(name COLLATE "und-x-icu", serial) > ($1, $2::uuid)',
  },
} as const;
type Sort = keyof typeof orders;
const sorts = Object.keys(orders) as Sort[];

/** All reads for a database with this many users from `fillUsers`. */
export async function readingsOf(client: pg.Client, users: number): Promise<Reading[]> {
  const middlePages: Reading[] = [];
  for (const sort of sorts) middlePages.push(await middlePage(client, sort, users));
  return [
    await getBySerial(client),
    ...sorts.flatMap((sort) => [firstPage(sort, false), firstPage(sort, true)]),
    ...middlePages,
    filtered('employeeID', 'employee_id = $1', [`E${users >> 1}`]),
    filtered('username', 'lower(username) = $1', [`user${users >> 1}`]),
    filtered('isActive=true', 'is_active', []),
    filtered('isActive=false', 'NOT is_active', []),
    filtered('isActive=false', 'NOT is_active', [], 'name'),
    filtered('organizationSerial', 'organization_serial = $1', ['ORG7']),
    filtered('organizationSerial', 'organization_serial = $1', ['ORG7'], 'name'),
    filtered('tagSerial', 'tag_serials @> ARRAY[$1::text]', ['TAG7']),
    filtered('tagSerial', 'tag_serials @> ARRAY[$1::text]', ['TAG7'], 'name'),
    ...(['createdAt', 'name'] as const).flatMap((sort) => [
      search('a word that a tenth of users have', 'ada', sort),
      search('a word that one user has', `E${users}`, sort),
      search('a word that no user has', 'zebra', sort),
      search('a word that only the newest 40% of users have', 'org', sort),
    ]),
    search('two words', 'ada lov', 'createdAt'),
  ];
}

async function getBySerial(client: pg.Client): Promise<Reading> {
  const { rows } = await client.query<{ serial: string }>(
    'SELECT serial FROM users TABLESAMPLE SYSTEM (1) REPEATABLE (1) LIMIT 200',
  );
  return {
    name: 'a user by serial',
    isPlain: true,
    requests: rows.map(({ serial }) => ({ path: `/service/users/${serial}`, values: [serial] })),
    text: `SELECT ${columns} FROM users WHERE serial = $1`,
  };
}

function firstPage(sort: Sort, descending: boolean): Reading {
  const order = descending ? orders[sort].order.replaceAll('ASC', 'DESC') : orders[sort].order;
  return {
    name: `first page, sort=${descending ? '-' : ''}${sort}`,
    isPlain: true,
    requests: [{ path: `/service/users?sort=${descending ? '-' : ''}${sort}`, values: [] }],
    text: `SELECT ${columns} FROM users ORDER BY ${order} ${page}`,
  };
}

async function middlePage(client: pg.Client, sort: Sort, users: number): Promise<Reading> {
  const { order, after } = orders[sort];
  const key = { createdAt: 'serial', employeeID: 'employee_id', name: 'name' }[sort];
  const { rows } = await client.query<{ serial: string; key: string }>(
    `SELECT serial, ${key} AS key FROM users ORDER BY ${order} OFFSET $1 LIMIT 1`,
    [users >> 1],
  );
  const [position] = rows;
  if (!position) throw new Error('an empty table has no middle page');
  const cursor = writeCursor(fingerprintOf([], sort, false), [position.serial, position.key]);
  return {
    name: `middle page, sort=${sort}`,
    isPlain: true,
    requests: [
      {
        path: `/service/users?sort=${sort}&cursor=${cursor}`,
        values: sort === 'name' ? [position.key, position.serial] : [position.key],
      },
    ],
    text: `SELECT ${columns} FROM users WHERE ${after} ORDER BY ${order} ${page}`,
  };
}

function filtered(
  filter: string,
  condition: string,
  values: readonly string[],
  sort: Sort = 'createdAt',
): Reading {
  const parameter = filter.includes('=') ? filter : `${filter}=${values[0]}`;
  return {
    name: `${filter}${sort === 'createdAt' ? '' : `, sort=${sort}`}`,
    isPlain: false,
    requests: [{ path: `/service/users?${parameter}&sort=${sort}`, values }],
    text: `SELECT ${columns} FROM users WHERE ${condition} ORDER BY ${orders[sort].order} ${page}`,
  };
}

function search(what: string, words: string, sort: Sort): Reading {
  return {
    name: `search: ${what}${sort === 'createdAt' ? '' : `, sort=${sort}`}`,
    isPlain: false,
    requests: [{ path: `/service/users?search=${encodeURIComponent(words)}&sort=${sort}`, values: [words] }],
    text: `SELECT ${columns} FROM users
           WHERE (SELECT bool_and(concat_ws(' ', name, employee_id, username, email, phone) ILIKE '%' || word || '%')
                  FROM string_to_table($1, ' ') AS word)
           ORDER BY ${orders[sort].order} ${page}`,
  };
}
