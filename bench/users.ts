import type pg from 'pg';
import { surnameParts, firstNames as variousFirstNames, lastNames as variousLastNames } from './names.js';

export const userCount = 100_000;

/** The fields of a user that the benchmarks change. */
export interface User {
  readonly employeeID: string;
  readonly name: string;
  readonly username: string;
  readonly phone: string;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
}

/** What one item of a call requests. */
export interface UserChange {
  /** The index in the list of all users. */
  readonly place: number;
  readonly before: User;
  readonly after: User;
}

const firstNames = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Ken', 'Radia', 'Tony'];
const surnames = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Allen', 'Perlman', 'Hoare'];
const tagCount = 50;

/**
 * Whether every tenth user has the same first name, or names are about as frequent as in a large company. Of many names,
 * there are 200,000 different surnames.
 */
export type NameKind = 'shared' | 'various' | 'many';

/**
 * Fills the table with users who have every field and two tags each, with serials in the order of creation. The newest
 * 40% have an address in .org, which makes it a word that many users have, but none near the beginning.
 */
export async function fillUsers(
  client: pg.Client,
  count = userCount,
  names: NameKind = 'shared',
): Promise<void> {
  const makeIndexes = count > userCount ? await dropIndexes(client) : async () => {};
  await client.query(
    `INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                        organization_serial, tag_serials)
     SELECT (lpad(to_hex(1700000000000 + i), 12, '0') || '70008' || substr(md5(i::text), 1, 15))::uuid,
            to_timestamp(1700000000 + i / 1000.0), to_timestamp(1700000000 + i / 1000.0),
            'E' || i,
            ${nameFrom('$2::text[]', names, 1)} || ' ' || ${names === 'many' ? madeUpSurname('$3::text[]') : nameFrom('$3::text[]', names, 2)},
            'user' || i, 'user' || i || CASE WHEN i > 0.6 * $1 THEN '@example.org' ELSE '@example.com' END,
            '+49 30 ' || 1000000 + i, i % 10 <> 0, 'ORG' || i % 200, ARRAY['TAG' || i % $4, 'TAG' || (i + 1) % $4]
     FROM generate_series(1, $1::int) AS i`,
    [
      count,
      names === 'shared' ? firstNames : variousFirstNames,
      { shared: surnames, various: variousLastNames, many: surnameParts }[names],
      tagCount,
    ],
  );
  await makeIndexes();
  await client.query('VACUUM ANALYZE users');
}

/** The name of user `i` in a list. Of various names, the first has a share of 2.6%, and each next one a bit less. */
function nameFrom(list: string, names: NameKind, seed: number): string {
  if (names === 'shared') return `(${list})[1 + i % cardinality(${list})]`;
  return `(${list})[1 + floor(cardinality(${list}) * power(${randomFor(seed)}, 1.5))::integer]`;
}

function randomFor(seed: number): string {
  return `(hashint4extended(i, ${seed}) & 4294967295) / 4294967296.0`;
}

/** Of three parts, the first of which are more frequent. */
function madeUpSurname(list: string): string {
  const part = (seed: number) =>
    `(${list})[1 + floor(cardinality(${list}) * power(${randomFor(seed)}, 1.3))::integer]`;
  return `initcap(${part(3)} || ${part(4)} || ${part(5)})`;
}

/** The user with this number as stored by `fillUsers`, without reading the database. */
export function filledUser(number: number): Pick<User, 'employeeID' | 'name' | 'isActive'> {
  const first = firstNames[number % firstNames.length];
  const last = surnames[number % surnames.length];
  return { employeeID: `E${number}`, name: `${first} ${last}`, isActive: number % 10 !== 0 };
}

/** Creating the indexes over all rows takes half as long as maintaining them while rows are inserted. */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'users'::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of rows) await client.query(definition);
  };
}

/**
 * What the items of a call change:
 * phones: the phone number alone;
 * status, names: these fields alone;
 * all: name, phone and status of each user;
 * mixed: name, phone, status and tags in turn;
 * renames: each user gets a new employee ID and username;
 * chains: in chains of a thousand, each user gets the employee ID and username that the previous item has just freed;
 * tenth: the phone of every tenth user;
 * nothing: no change at all.
 */
export const workloads = [
  'phones',
  'status',
  'names',
  'all',
  'mixed',
  'renames',
  'chains',
  'tenth',
  'nothing',
] as const;
export type Workload = (typeof workloads)[number];
const chainLength = 1_000;

/** Keeps track of the current state of all users, and generates changes that really change something. */
export class Users {
  readonly #users: User[];
  readonly #random = seededRandom(1);
  /** Indexes in the list of users. */
  #deck: number[] = [];
  #namesMade = 0;

  private constructor(users: User[]) {
    this.#users = users;
  }

  static of(users: readonly User[]): Users {
    return new Users([...users]);
  }

  /** Reads all users, or a sample from all over a large table. */
  static async read(client: pg.Client): Promise<Users> {
    const { rows: counted } = await client.query<{ count: string }>('SELECT count(*) FROM users');
    const percent = Math.min(100, (100 * userCount) / Number(counted[0]?.count));
    const { rows } = await client.query<User>(
      `SELECT employee_id AS "employeeID", name, username, phone, is_active AS "isActive", tag_serials AS "tagSerials"
       FROM users TABLESAMPLE BERNOULLI ($1) REPEATABLE (1)
       WHERE phone IS NOT NULL AND username IS NOT NULL`,
      [percent],
    );
    return new Users(rows);
  }

  /** Changes for random users, which the caller must apply. */
  changes(count: number, workload: Workload): UserChange[] {
    const changes = this.drafts(count, workload);
    for (const { place, after } of changes) this.#users[place] = after;
    return changes;
  }

  /** Reverts changes that were undone. */
  takeBack(changes: readonly UserChange[]): void {
    for (const { place, before } of changes) this.#users[place] = before;
  }

  /** Changes that are never applied, for previews. */
  drafts(count: number, workload: Workload): UserChange[] {
    const places = this.#dealt(count);
    const befores = places.map((place) => this.#users[place] as User);
    return befores.map((before, index) => {
      const giver = index % chainLength === 0 ? undefined : befores[index - 1];
      return { place: places[index] as number, before, after: this.#changed(before, workload, index, giver) };
    });
  }

  /**
   * No user is chosen again until too few are left, so that no variant finds the rows of the previous one in a cache.
   */
  #dealt(count: number): number[] {
    if (this.#deck.length < count) this.#deck = shuffled(this.#users.length, this.#random);
    return this.#deck.splice(-count);
  }

  #changed(before: User, workload: Workload, index: number, giver: User | undefined): User {
    if (workload === 'nothing' || (workload === 'tenth' && index % 10 !== 0)) return before;
    if (workload === 'renames') return { ...before, ...this.#newNames() };
    if (workload === 'chains') {
      const { employeeID, username } = giver ?? this.#newNames();
      return { ...before, employeeID, username };
    }
    const name = () => `${before.name.split(' ')[0]} ${this.#otherSurname(before.name)}`;
    const phone = () => `+49 40 ${1_000_000 + this.#below(9_000_000)}`;
    const isActive = !before.isActive;
    if (workload === 'all') return { ...before, name: name(), phone: phone(), isActive };
    const field =
      { phones: 1, status: 2, names: 0 }[workload as string] ?? (workload === 'mixed' ? index % 4 : 1);
    if (field === 0) return { ...before, name: name() };
    if (field === 1) return { ...before, phone: phone() };
    if (field === 2) return { ...before, isActive };
    const first = (Number(before.tagSerials[0]?.slice(3)) + 1 + this.#below(tagCount - 1)) % tagCount;
    const second = (first + 1 + this.#below(tagCount - 1)) % tagCount;
    return { ...before, tagSerials: [`TAG${first}`, `TAG${second}`] };
  }

  #newNames(): Pick<User, 'employeeID' | 'username'> {
    const number = ++this.#namesMade;
    return { employeeID: `R${number}`, username: `renamed${number}` };
  }

  #otherSurname(present: string): string {
    const left = surnames.filter((choice) => !present.endsWith(choice));
    return left[this.#below(left.length)] as string;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function shuffled(count: number, random: () => number): number[] {
  const deck = Array.from({ length: count }, (_, place) => place);
  for (let last = deck.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    [deck[last], deck[pick]] = [deck[pick] as number, deck[last] as number];
  }
  return deck;
}

/** Mulberry32, for the same samples in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
