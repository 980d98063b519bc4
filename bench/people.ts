import type pg from 'pg';

export const peopleCount = 100_000;

/** A user as far as the benchmarks change it. */
export interface Person {
  readonly employeeID: string;
  readonly name: string;
  readonly username: string;
  readonly phone: string;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
}

/** What one item of a call asks for. */
export interface PersonChange {
  /** Of the person in the list of all. */
  readonly place: number;
  readonly before: Person;
  readonly after: Person;
}

const firstNames = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Ken', 'Radia', 'Tony'];
const surnames = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Allen', 'Perlman', 'Hoare'];
const tagCount = 50;

/**
 * Fills the table with people who have every field and two tags each. Serials are in the order of creation; the younger
 * 40% have an address in .org, a word that many have but nobody near the beginning.
 */
export async function fillUsers(client: pg.Client, count = peopleCount): Promise<void> {
  const makeIndexes = count > peopleCount ? await dropIndexes(client) : async () => {};
  await client.query(
    `INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                        organization_serial, tag_serials)
     SELECT (lpad(to_hex(1700000000000 + i), 12, '0') || '70008' || substr(md5(i::text), 1, 15))::uuid,
            to_timestamp(1700000000 + i / 1000.0), to_timestamp(1700000000 + i / 1000.0),
            'E' || i,
            ($2::text[])[1 + i % cardinality($2::text[])] || ' ' || ($3::text[])[1 + i % cardinality($3::text[])],
            'user' || i, 'user' || i || CASE WHEN i > 0.6 * $1 THEN '@example.org' ELSE '@example.com' END,
            '+49 30 ' || 1000000 + i, i % 10 <> 0, 'ORG' || i % 200, ARRAY['TAG' || i % $4, 'TAG' || (i + 1) % $4]
     FROM generate_series(1, $1::int) AS i`,
    [count, firstNames, surnames, tagCount],
  );
  await makeIndexes();
  await client.query('VACUUM ANALYZE users');
}

/** The same people, without the database: name and status of the one with this number, whose employee ID is E and it. */
export function filledPerson(number: number): Pick<Person, 'employeeID' | 'name' | 'isActive'> {
  const first = firstNames[number % firstNames.length];
  const last = surnames[number % surnames.length];
  return { employeeID: `E${number}`, name: `${first} ${last}`, isActive: number % 10 !== 0 };
}

/** It takes half as long to make the indexes over all rows than to keep them up while the rows come. */
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
 * phones: no index has to be touched;
 * mixed: by turns the name, the phone, the status and the tags, of which all but the phone are indexed;
 * renames: each gets a new employee ID and username;
 * chains: in chains of a thousand each gets the employee ID and username that the item before it has just left;
 * tenth: the phone of every tenth;
 * nothing: no change at all.
 */
export const workloads = ['phones', 'mixed', 'renames', 'chains', 'tenth', 'nothing'] as const;
export type Workload = (typeof workloads)[number];
const chainLength = 1_000;

/** Knows what every person looks like at present, and gives out changes that are real. */
export class People {
  readonly #people: Person[];
  readonly #random = seededRandom(1);
  /** Places in the list of people. */
  #deck: number[] = [];
  #namesMade = 0;

  private constructor(people: Person[]) {
    this.#people = people;
  }

  static of(people: readonly Person[]): People {
    return new People([...people]);
  }

  /** Of a large table some, from all over it. */
  static async read(client: pg.Client): Promise<People> {
    const { rows: counted } = await client.query<{ count: string }>('SELECT count(*) FROM users');
    const percent = Math.min(100, (100 * peopleCount) / Number(counted[0]?.count));
    const { rows } = await client.query<Person>(
      `SELECT employee_id AS "employeeID", name, username, phone, is_active AS "isActive", tag_serials AS "tagSerials"
       FROM users TABLESAMPLE BERNOULLI ($1) REPEATABLE (1)
       WHERE phone IS NOT NULL AND username IS NOT NULL`,
      [percent],
    );
    return new People(rows);
  }

  /** Changes for people picked at random, which the caller is going to make. */
  changes(count: number, workload: Workload): PersonChange[] {
    const changes = this.drafts(count, workload);
    for (const { place, after } of changes) this.#people[place] = after;
    return changes;
  }

  /** They were undone. */
  takeBack(changes: readonly PersonChange[]): void {
    for (const { place, before } of changes) this.#people[place] = before;
  }

  /** Changes that nobody is going to make: for a preview. */
  drafts(count: number, workload: Workload): PersonChange[] {
    const places = this.#dealt(count);
    const befores = places.map((place) => this.#people[place] as Person);
    return befores.map((before, index) => {
      const giver = index % chainLength === 0 ? undefined : befores[index - 1];
      return { place: places[index] as number, before, after: this.#changed(before, workload, index, giver) };
    });
  }

  /**
   * Nobody is picked again before everybody had a turn or too few were left, so that no variant finds the rows of the one
   * before it in a cache.
   */
  #dealt(count: number): number[] {
    if (this.#deck.length < count) this.#deck = shuffled(this.#people.length, this.#random);
    return this.#deck.splice(-count);
  }

  #changed(before: Person, workload: Workload, index: number, giver: Person | undefined): Person {
    if (workload === 'nothing' || (workload === 'tenth' && index % 10 !== 0)) return before;
    if (workload === 'renames') return { ...before, ...this.#newNames() };
    if (workload === 'chains') {
      const { employeeID, username } = giver ?? this.#newNames();
      return { ...before, employeeID, username };
    }
    const field = workload === 'mixed' ? index % 4 : 1;
    if (field === 0) {
      return { ...before, name: `${before.name.split(' ')[0]} ${this.#otherSurname(before.name)}` };
    }
    if (field === 1) return { ...before, phone: `+49 40 ${1_000_000 + this.#below(9_000_000)}` };
    if (field === 2) return { ...before, isActive: !before.isActive };
    const first = (Number(before.tagSerials[0]?.slice(3)) + 1 + this.#below(tagCount - 1)) % tagCount;
    const second = (first + 1 + this.#below(tagCount - 1)) % tagCount;
    return { ...before, tagSerials: [`TAG${first}`, `TAG${second}`] };
  }

  #newNames(): Pick<Person, 'employeeID' | 'username'> {
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

/** Mulberry32: the same samples in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
