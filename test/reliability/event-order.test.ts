import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ChangeFollower } from '../../src/domain/changes/follower.js';
import { readFeed } from '../../src/storage/changes/change-feed.js';
import type { Database } from '../../src/storage/database.js';
import { EventStream } from '../support/event-stream.js';
import { anItem, aUser, createDatabase, TestService, useOwnService } from '../support/service.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';
import {
  eagerEvents,
  givenChanges,
  givenWebhook,
  loggedAfter,
  sendsNoWebhooks,
  sequencesOf,
  webhookNow,
} from '../support/webhooks.js';

/** A transaction on its own connection that writes to the change log step by step. */
class Writer {
  readonly client: pg.Client;
  /** What the transaction has written so far. */
  numbers: number[] = [];
  isOpen = false;

  constructor(databaseUrl: string) {
    this.client = new pg.Client({ connectionString: databaseUrl });
    this.client.on('error', () => {}); // the test terminates some of them
  }

  async insert(count = 1): Promise<number> {
    if (!this.isOpen) await this.client.query('BEGIN');
    this.isOpen = true;
    const { rows } = await this.client.query<{ seq: string }>(
      `INSERT INTO changes (kind, user_serial, version, employee_id, fields)
       SELECT 'updated', gen_random_uuid(), 1, 'E1', '{}' FROM generate_series(1, $1) RETURNING seq`,
      [count],
    );
    const drawn = rows.map(({ seq }) => Number(seq));
    this.numbers.push(...drawn);
    return drawn[0] ?? 0;
  }

  /** Writes and rolls back to a savepoint. The transaction continues and may write again. */
  async insertInVain(): Promise<void> {
    if (!this.isOpen) await this.client.query('BEGIN');
    this.isOpen = true;
    await this.client.query('SAVEPOINT before');
    const kept = [...this.numbers];
    await this.insert();
    this.numbers = kept;
    await this.client.query('ROLLBACK TO SAVEPOINT before');
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<number[]> {
    const committed = how === 'COMMIT' ? this.numbers : [];
    if (this.isOpen) await this.client.query(how);
    this.isOpen = false;
    this.numbers = [];
    return committed;
  }
}

/** Reads the log the way followers do. */
class Reader {
  readonly follower: ChangeFollower;
  readonly seen: number[] = [];
  readonly #database: Database;
  #position = 0;

  private constructor(database: Database) {
    this.#database = database;
    this.follower = new ChangeFollower(database, 10);
  }

  /** Starts after everything that is already there. */
  static async start(database: Database): Promise<Reader> {
    const reader = new Reader(database);
    reader.#position = await reader.follower.refresh();
    return reader;
  }

  async read(): Promise<void> {
    const upTo = await this.follower.refresh();
    const rows = await readFeed(this.#database.pool, { after: this.#position, upTo, limit: 10_000 });
    this.seen.push(...rows.map(({ sequence }) => sequence));
    this.#position = upTo;
  }
}

const service = useOwnService(eagerEvents);
let databaseUrl = '';
const writers: Writer[] = [];
function urlOf({ database }: TestService): string {
  return (database.pool.options as { connectionString: string }).connectionString;
}

const inOrder = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);

beforeAll(async () => {
  databaseUrl = urlOf(service);
  writers.push(...Array.from({ length: 6 }, () => new Writer(databaseUrl)));
  await Promise.all(writers.map(({ client }) => client.connect()));
});

afterAll(async () => {
  await Promise.all(writers.map(({ client }) => client.end()));
});

/** Writers whose transactions end with the test, whatever its result. */
function givenWriters(): [Writer, Writer, Writer] {
  onTestFinished(async () => {
    await Promise.all(writers.map((writer) => writer.end('ROLLBACK')));
  });
  return writers as unknown as [Writer, Writer, Writer];
}

/** Refreshes several times: what one refresh sees must not be used too early by the next. */
async function lookedAtOften(follower: ChangeFollower): Promise<number> {
  for (let looks = 0; looks < 5; looks++) await follower.refresh();
  return follower.settled;
}

describe('a row that commits late', () => {
  test('is awaited by the follower, the stream and webhooks, and reported in the order of numbers', async () => {
    const [late, early] = givenWriters();
    const receiver = await startWebhookReceiver();
    const webhook = await givenWebhook(service, { url: receiver.url, batchMax: 1 });
    const stream = await EventStream.open(service);
    const first = await late.insert();
    const second = await early.insert();
    await early.end('COMMIT');
    expect(await lookedAtOften(service.context.changes)).toBeLessThan(first);
    expect(await loggedAfter(service, first - 1), 'it cannot be seen yet').toEqual([second]);
    expect((await webhookNow(service, webhook)).deliveredUpTo).toBeLessThan(first);
    await late.end('COMMIT');
    await expect.poll(() => stream.sequences).toEqual([first, second]);
    await expect.poll(() => sequencesOf(receiver.requests)).toEqual([first, second]);
  });

  test('is awaited wherever it is among the others', async () => {
    const [one, two, three] = givenWriters();
    const stream = await EventStream.open(service);
    const numbers = [await one.insert(), await two.insert(), await three.insert(), await one.insert()];
    await three.end('COMMIT');
    expect(await lookedAtOften(service.context.changes)).toBeLessThan(numbers[0] ?? 0);
    await one.end('COMMIT');
    expect(await lookedAtOften(service.context.changes)).toBeLessThan(numbers[1] ?? 0);
    await two.end('COMMIT');
    await expect.poll(() => stream.sequences).toEqual(numbers);
  });

  test('is awaited by a reader that connects only then', async () => {
    const [late, early] = givenWriters();
    const before = await service.context.changes.refresh();
    const numbers = [await late.insert(), await early.insert()];
    await early.end('COMMIT');
    const stream = await EventStream.open(service, { lastEventId: before });
    const follower = new ChangeFollower(service.database, 10);
    expect(await lookedAtOften(follower)).toBeLessThan(numbers[0] ?? 0);
    await late.end('COMMIT');
    await expect.poll(() => stream.sequences).toEqual(numbers);
  });

  test('is awaited even if its transaction began long before drawing its last number', async () => {
    const [late, early] = givenWriters();
    const reader = await Reader.start(service.database);
    const first = await late.insert();
    await reader.read();
    const second = await early.insert();
    await early.end('COMMIT');
    await reader.read();
    const third = await late.insert();
    await reader.read();
    expect(reader.seen).toEqual([]);
    await late.end('COMMIT');
    await reader.read();
    await reader.read();
    expect(reader.seen).toEqual([first, second, third]);
  });

  test('is skipped if it was rolled back, in full or in part, or its connection was terminated', async () => {
    const [one, two, three] = givenWriters();
    const stream = await EventStream.open(service);
    await one.insert();
    await two.insertInVain();
    const cut = new Writer(databaseUrl);
    await cut.client.connect();
    await cut.insert();
    const { rows } = await cut.client.query('SELECT pg_backend_pid() AS pid');
    const last = await three.insert();
    await three.end('COMMIT');
    await one.end('ROLLBACK');
    const kept = await two.insert();
    await two.end('COMMIT');
    await service.database.pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    await expect.poll(() => stream.sequences).toEqual([last, kept]);
    await expect.poll(() => service.context.changes.refresh()).toBe(kept);
  });

  test('does not block others forever, even if there is always a writer', async () => {
    const [one, two] = givenWriters();
    const reader = await Reader.start(service.database);
    const numbers = [await one.insert()];
    for (let round = 0; round < 20; round++) {
      const [ending, going] = round % 2 === 0 ? [one, two] : [two, one];
      numbers.push(await going.insert());
      await reader.read();
      await ending.end('COMMIT');
      await reader.read();
    }
    // A reader waits only for transactions that write now or did at the previous refresh.
    expect(reader.seen.length).toBeGreaterThanOrEqual(18);
    expect(reader.seen).toEqual(numbers.slice(0, reader.seen.length));
  });
});

describe('with the steps of several transactions in any order', () => {
  type Step = { readonly by: number; readonly what: 'insert' | 'in vain' | 'COMMIT' | 'ROLLBACK' } | 'read';

  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Step>('read') },
    {
      weight: 8,
      arbitrary: fc.record({
        by: fc.nat({ max: 3 }),
        what: fc.constantFrom('insert', 'insert', 'insert', 'in vain', 'COMMIT', 'COMMIT', 'ROLLBACK'),
      }) as fc.Arbitrary<Step>,
    },
  );

  test('every committed row is seen once, in the order of numbers and never too early', async () => {
    givenWriters();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        const reader = await Reader.start(service.database);
        const committed: number[] = [];
        for (const each of steps) {
          if (each === 'read') {
            await reader.read();
            const open = writers.flatMap(({ numbers }) => numbers);
            expect(reader.follower.settled).toBeLessThan(Math.min(...open, Number.POSITIVE_INFINITY));
            continue;
          }
          const writer = writers[each.by] as Writer;
          if (each.what === 'insert') await writer.insert();
          else if (each.what === 'in vain') await writer.insertInVain();
          else committed.push(...(await writer.end(each.what)));
        }
        for (const writer of writers) committed.push(...(await writer.end('COMMIT')));
        await reader.read();
        await reader.read(); // for what the first one was still waiting for
        expect(reader.seen).toEqual(inOrder(committed));
      }),
      { numRuns: 25 },
    );
  });

  test('the same holds if all run concurrently', async () => {
    givenWriters();
    const reader = await Reader.start(service.database);
    const committed: number[] = [];
    let writing = writers.length;
    const write = async (writer: Writer, index: number) => {
      for (let round = 0; round < 30; round++) {
        await writer.insert(1 + ((round + index) % 3));
        if (round % 7 === index) await writer.insertInVain();
        if (round % 3 === 0) await writer.client.query('SELECT pg_sleep(random() * 0.004)');
        committed.push(...(await writer.end(round % 5 === index ? 'ROLLBACK' : 'COMMIT')));
      }
      writing--;
    };
    const read = async () => {
      while (writing > 0) await reader.read();
    };
    await Promise.all([...writers.map(write), read()]);
    expect(reader.seen.length, 'it was read while it was written').toBeGreaterThan(0);
    await reader.read();
    await reader.read();
    expect(reader.seen).toEqual(inOrder(committed));
    expect(committed.length).toBeGreaterThan(250);
  });
});

describe('under load from many callers', () => {
  test('the stream and a webhook report the log exactly as stored, and every version of each user', async () => {
    const receiver = await startWebhookReceiver();
    const webhook = await givenWebhook(service, { url: receiver.url, batchMax: 25 });
    const stream = await EventStream.open(service);
    const start = webhook.data.deliveredUpTo;
    const users = await Promise.all(Array.from({ length: 20 }, () => service.givenUser()));
    const creating = async () => {
      for (let count = 0; count < 15; count++) await service.givenUser();
    };
    const patching = async (of: number) => {
      for (let count = 0; count < 15; count++) {
        const { serial } = users[(count * 7 + of) % users.length] ?? {};
        const body = { name: `Patched ${of} ${count}` };
        expect((await service.request('PATCH', `/service/users/${serial}`, { body })).status).toBe(200);
      }
    };
    const updating = async (of: number) => {
      for (let count = 0; count < 6; count++) {
        const items = users.map((user) =>
          anItem(user, { phone: `${100 + of}${count}`, isActive: count % 2 === 0 }),
        );
        expect((await service.updateBulk(of % 2 ? items.reverse() : items)).status).toBe(200);
      }
    };
    const importing = async () => {
      for (let count = 0; count < 2; count++)
        await service.createBulk(Array.from({ length: 50 }, () => aUser()));
    };
    await Promise.all([creating(), patching(1), patching(2), updating(1), updating(2), importing()]);
    const logged = await loggedAfter(service, start);
    await expect.poll(() => stream.sequences.length).toBe(logged.length);
    expect(stream.sequences).toEqual(logged);
    await expect.poll(() => sequencesOf(receiver.requests).length).toBe(logged.length);
    expect(sequencesOf(receiver.requests)).toEqual(logged);

    const versions = new Map<string, number[]>();
    for (const { json } of stream.events) {
      const { userSerial, version } = json.data;
      if (userSerial) versions.set(userSerial, [...(versions.get(userSerial) ?? []), version]);
    }
    expect(versions.size).toBe(20 + 15 + 100);
    for (const [serial, told] of versions) {
      expect(told, serial).toEqual(Array.from({ length: told.length }, (_, index) => index + 1));
    }
  });
});

describe('transactions that do not write to the log delay nobody', () => {
  test.each([
    ['reads it', 'SELECT count(*) FROM changes'],
    ['locks rows of it', 'SELECT seq FROM changes ORDER BY seq DESC LIMIT 1 FOR UPDATE'],
    ['locks rows of it for key share', 'SELECT seq FROM changes ORDER BY seq DESC LIMIT 1 FOR KEY SHARE'],
    ['holds the lock of VACUUM and ANALYZE', 'LOCK TABLE changes IN SHARE UPDATE EXCLUSIVE MODE'],
    ['has drawn a number without using it', `SELECT nextval('change_numbers')`],
    ['has read the numbers', 'SELECT last_value FROM change_numbers'],
    [
      'wrote to another table',
      `INSERT INTO users (serial, employee_id, name, is_active) SELECT serial, 'x', name, is_active FROM users LIMIT 0`,
    ],
    ['wrote to the state of the change log', 'UPDATE change_log SET pruned_to = pruned_to'],
  ])('a long transaction that %s', async (_, statement) => {
    const [foreign] = givenWriters();
    await service.givenUser();
    await foreign.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    foreign.isOpen = true;
    await foreign.client.query(statement);
    const stream = await EventStream.open(service);
    const { serial } = await service.givenUser();
    await expect.poll(() => stream.events.at(-1)?.json.data.userSerial).toBe(serial);
  });

  test('VACUUM and ANALYZE while they run', async () => {
    const [cleaning] = givenWriters();
    const stream = await EventStream.open(service);
    let isDone = false;
    const clean = async () => {
      while (!isDone) await cleaning.client.query('VACUUM (ANALYZE) changes');
    };
    const cleaned = clean();
    for (let count = 1; count <= 5; count++) {
      await service.givenUser();
      await expect.poll(() => stream.events.length, { interval: 5 }).toBe(count);
    }
    isDone = true;
    await cleaned;
  });

  test('a writer to the same table in another database cloned from the same template', async () => {
    const template = await createDatabase();
    await (await TestService.start({ ...sendsNoWebhooks, DATABASE_URL: template })).stop();
    const clone = new URL(template);
    clone.pathname += '_clone';
    const [from, to] = [new URL(template).pathname.slice(1), clone.pathname.slice(1)];
    await service.database.pool.query(`CREATE DATABASE ${to} TEMPLATE ${from}`);
    const [here, there] = [new pg.Pool({ connectionString: template }), new Writer(clone.href)];
    await there.client.connect();
    onTestFinished(async () => {
      await Promise.all([here.end(), there.client.end()]);
    });
    await there.insert();
    const database = { pool: here } as unknown as Database; // the follower needs nothing else
    const [number] = await givenChanges({ database }, 1);
    expect(await new ChangeFollower(database, 10).refresh()).toBe(number);
  });
});

describe('a node that has not read the log for a while, during a write', () => {
  const node = useOwnService({ ...eagerEvents, ...sendsNoWebhooks });

  /** Old events that the node has not seen yet, and an open transaction. */
  async function writtenMeanwhile(): Promise<{
    old: number[];
    endOnce(asked: Promise<unknown>): Promise<void>;
  }> {
    const writer = new Writer(urlOf(node));
    await writer.client.connect();
    onTestFinished(() => writer.client.end());
    const old = await givenChanges(node, 50);
    await writer.insert();
    return {
      old,
      /** Ends the transaction once the node has answered or had time to. It may well be waiting for that. */
      endOnce: async (asked) => {
        let isAnswered = false;
        const answered = () => {
          isAnswered = true;
        };
        asked.then(answered, answered);
        for (let looks = 0; looks < 100 && !isAnswered; looks++) await node.context.changes.refresh();
        await writer.end('COMMIT');
      },
    };
  }

  test('starts a stream with events from then on', async () => {
    const { endOnce } = await writtenMeanwhile();
    const opening = EventStream.open(node);
    await endOnce(opening);
    const stream = await opening;
    const { serial } = await node.givenUser();
    await expect.poll(() => stream.events.at(-1)?.json.data.userSerial).toBe(serial);
    expect(stream.events.length, 'the new user, and at most the one who wrote').toBeLessThanOrEqual(2);
  });

  test('starts a webhook with events from then on', async () => {
    const { old, endOnce } = await writtenMeanwhile();
    const creating = givenWebhook(node);
    await endOnce(creating);
    const { data } = await creating;
    expect(data.deliveredUpTo).toBeGreaterThanOrEqual(old.at(-1) ?? 0);
  });

  test('replays from any existing event', async () => {
    const webhook = await givenWebhook(node);
    const { old, endOnce } = await writtenMeanwhile();
    const replaying = node.post(`${webhook.path}/replay`, { fromSequence: old[25] });
    await endOnce(replaying);
    const reply = await replaying;
    expect(reply.status, reply.text).toBe(200);
  });
});

test('numbers of the change log are drawn under the lock that the follower checks', async () => {
  const [writer] = givenWriters();
  await writer.insert();
  const { rows } = await writer.client.query(
    `SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = 'changes'::regclass`,
  );
  expect(rows).toContainEqual({ mode: 'RowExclusiveLock' });
});
