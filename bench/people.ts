import type pg from 'pg';

export const peopleCount = 100_000;

/** A user as a bulk update sends it: the whole record, of which one field is new. */
export interface Item {
  employeeID: string;
  name: string;
  phone: string;
  isActive: boolean;
  tagSerials: string[];
}

const firstNames = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Ken', 'Radia', 'Tony'];
const surnames = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Allen', 'Perlman', 'Hoare'];
const tagCount = 50;

/** Fills the table with people who have every field and two tags each. Serials are in the order of creation. */
export async function fillUsers(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                        organization_serial, tag_serials)
     SELECT (lpad(to_hex(1700000000000 + i), 12, '0') || '70008' || substr(md5(i::text), 1, 15))::uuid,
            to_timestamp(1700000000 + i / 1000.0), to_timestamp(1700000000 + i / 1000.0),
            'E' || i,
            ($2::text[])[1 + i % cardinality($2::text[])] || ' ' || ($3::text[])[1 + i % cardinality($3::text[])],
            'user' || i, 'user' || i || '@example.com', '+49 30 ' || 1000000 + i, i % 10 <> 0,
            'ORG' || i % 200, ARRAY['TAG' || i % $4, 'TAG' || (i + 1) % $4]
     FROM generate_series(1, $1::int) AS i`,
    [peopleCount, firstNames, surnames, tagCount],
  );
  await client.query('VACUUM ANALYZE users');
}

/**
 * What the items of a call change: only phones, so that no index has to be touched, or by turns the name, the phone,
 * the status and the tags, of which all but the phone are indexed.
 */
export const workloads = ['phones', 'mixed'] as const;
export type Workload = (typeof workloads)[number];

/** Knows what every person looks like at present, and gives out changes that are real. */
export class People {
  readonly #people: Item[];
  readonly #random = seededRandom(1);
  #deck: Item[] = [];

  private constructor(people: Item[]) {
    this.#people = people;
  }

  static async read(client: pg.Client): Promise<People> {
    const { rows } = await client.query<Item>(
      `SELECT employee_id AS "employeeID", name, phone, is_active AS "isActive", tag_serials AS "tagSerials"
       FROM users WHERE employee_id LIKE 'E%' ORDER BY employee_id`,
    );
    return new People(rows);
  }

  /**
   * Changes for people picked at random. Nobody is picked again before everybody had a turn or too few were left, so
   * that no variant finds the rows of the one before it in a cache.
   */
  changes(count: number, workload: Workload): Item[] {
    if (this.#deck.length < count) this.#deck = this.#shuffled();
    return this.#deck.splice(-count).map((person, index) => {
      this.#change(person, workload === 'phones' ? 1 : index % 4);
      return { ...person };
    });
  }

  #change(person: Item, field: number): void {
    if (field === 0)
      person.name = `${person.name.split(' ')[0]} ${other(surnames, person.name, this.#random)}`;
    else if (field === 1) person.phone = `+49 40 ${1_000_000 + this.#below(9_000_000)}`;
    else if (field === 2) person.isActive = !person.isActive;
    else {
      const first = (Number(person.tagSerials[0]?.slice(3)) + 1 + this.#below(tagCount - 1)) % tagCount;
      person.tagSerials = [`TAG${first}`, `TAG${(first + 1 + this.#below(tagCount - 1)) % tagCount}`];
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #shuffled(): Item[] {
    const deck = [...this.#people];
    for (let last = deck.length - 1; last > 0; last--) {
      const pick = this.#below(last + 1);
      [deck[last], deck[pick]] = [deck[pick] as Item, deck[last] as Item];
    }
    return deck;
  }
}

function other(choices: readonly string[], present: string, random: () => number): string {
  const left = choices.filter((choice) => !present.endsWith(choice));
  return left[Math.floor(random() * left.length)] as string;
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
