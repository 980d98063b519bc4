import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSurveyor,
  createSyncRowReader,
  IdIndex,
  type ItemResult,
  type JournalEntry,
  type KnownUser,
  openTable,
  planSync,
  resumeStateOf,
  runSync,
  type SyncItem,
  type SyncOutcome,
  type SyncPlan,
  type SyncRun,
  type SyncTarget,
  Tally,
} from '../../../../sheets/src/index.js';
import { viewedUser } from '../../../support/stored-user.js';

const columns = { mapping: { employeeID: [0], name: [1], email: [2], username: [3] }, from: 4 };

/** A file of rows like "E1,Ada,a@example.com,ada,Old ID". */
async function fileOf(...lines: string[]) {
  const open = () => openTable(`ID,Name,Email,Username,Old\n${lines.join('\n')}\n`);
  const surveyor = createSurveyor(columns);
  for await (const row of (await open()).rows) surveyor.add(row);
  const { rows, headings } = await open();
  const options = { empty: 'leaves', isComplete: false, meaningOf: () => undefined } as const;
  return { survey: surveyor.survey(), rows, read: createSyncRowReader(headings, columns, options) };
}

type File = Awaited<ReturnType<typeof fileOf>>;

/** Users by employee ID, as a service would keep them: items are applied one by one, and names are unique. */
class Users implements SyncTarget {
  readonly all: Map<string, KnownUser>;
  readonly calls: string[] = [];

  constructor(...employeeIDs: string[]) {
    this.all = new Map(employeeIDs.map((id) => [id, viewedUser({ employeeID: id, name: `User ${id}` })]));
  }

  async lookup(employeeIDs: readonly string[]) {
    return new Map([...this.all].filter(([id]) => employeeIDs.includes(id)));
  }

  async send(key: string, { items }: { readonly items: readonly SyncItem[] }) {
    this.calls.push(key);
    return items.map((item) => this.#apply(item));
  }

  #apply({ newEmployeeID, attributes: _, managerEmployeeID: _manager, ...fields }: SyncItem): ItemResult {
    const { employeeID } = fields;
    const id = newEmployeeID ?? employeeID;
    if (id !== employeeID && this.all.has(id)) {
      return { ok: false, code: 'USER_EMPLOYEE_ID_EXISTS', detail: 'is taken', taken: id };
    }
    const user = this.all.get(employeeID) ?? viewedUser({ employeeID, name: '' });
    this.all.delete(employeeID);
    this.all.set(id, { ...user, ...fields, employeeID: id });
    return { ok: true, serial: user.serial };
  }
}

const settings = {
  ...{ missing: undefined, rehire: false, isProtected: () => false },
  ...{ checkpoint: () => {}, onProgress: () => {} },
};

async function planned(
  { survey, rows, read }: File,
  target: SyncTarget,
  options: Partial<SyncPlan> = {},
): Promise<SyncOutcome[]> {
  const outcomes: SyncOutcome[] = [];
  const plan: SyncPlan = { ...settings, survey, target, rowsPerChunk: 2, ...options };
  for await (const some of planSync(plan, rows, read)) outcomes.push(...some);
  return outcomes;
}

async function run({ survey, rows, read }: File, target: SyncTarget, options: Partial<SyncRun> = {}) {
  const entries: JournalEntry[] = [];
  const journal: SyncRun['journal'] = {
    intend: (chunk, intends) => void entries.push({ chunk, intends }),
    done: (chunk, outcomes, retries) => void entries.push({ chunk, outcomes, retries }),
  };
  const whole: SyncRun = {
    ...{ ...settings, survey, target, journal, rowsPerChunk: 2, tally: new Tally() },
    ...{ resumed: undefined, dryRun: false, canRetry: true, ...options },
  };
  await runSync(whole, rows, read);
  return entries;
}

function indexOf(...ids: string[]): IdIndex {
  const index = new IdIndex();
  for (const id of ids) index.add(id, 1);
  return index;
}

/** By row: what happens to it, or why it fails. */
function told(outcomes: readonly SyncOutcome[]) {
  return Object.fromEntries(
    outcomes.map(({ row, employeeID, kind, problem }) => [row ?? employeeID, problem?.code ?? kind]),
  );
}

describe('a plan', () => {
  test('counts a chain of renames in any order, and sends nothing', async () => {
    const users = new Users('E1', 'E2', 'E3');
    const file = await fileOf(
      'E2,User E1,,,E1',
      'E3,User E2,,,E2',
      'E4,User E3,,,E3',
      'E1,New,n@example.com,,',
    );
    expect(told(await planned(file, users))).toEqual({
      ...{ 2: 'renamed', 3: 'renamed', 4: 'renamed', 5: 'created' },
    });
    expect(users.calls).toEqual([]);
  });

  test('counts users who swap their usernames as updated', async () => {
    const users = new Users('E1', 'E2');
    await users.send('', {
      items: [
        { employeeID: 'E1', username: 'ada' },
        { employeeID: 'E2', username: 'bob' },
      ],
    });
    const outcomes = await planned(await fileOf('E1,User E1,,bob,', 'E2,User E2,,ada,'), users);
    expect(told(outcomes)).toEqual({ 2: 'updated', 3: 'updated' });
    expect(outcomes.map(({ changed }) => changed)).toEqual([['username'], ['username']]);
  });

  test('contains refused rows, and those that wait for them', async () => {
    const file = await fileOf(
      ...['E1,Ada,,,', 'E1,Ada,,,', 'E2,User E3,,,E3', 'E4,User E2,not an address,,E2', 'E9,No address,,,'],
      'E7,Taken,,,E6',
    );
    expect(told(await planned(file, new Users('E1', 'E2', 'E3', 'E6', 'E7')))).toEqual({
      ...{ 2: 'EMPLOYEE_ID_TWICE', 3: 'EMPLOYEE_ID_TWICE', 4: 'RENAME_FIRST', 5: 'FIELD_INVALID' },
      ...{ 6: 'CONTACT_REQUIRED', 7: 'RENAME_TAKEN' },
    });
  });

  test('contains the missing users who are still active', async () => {
    const users = new Users('E1', 'E2', 'E3');
    await users.send('', { items: [{ employeeID: 'E3', isActive: false }] });
    const missing = { ids: indexOf('E2', 'E3', 'E4'), target: users };
    const outcomes = await planned(await fileOf('E1,User E1,,,'), users, { missing });
    expect(told(outcomes)).toEqual({ 2: 'unchanged', E2: 'deactivated' });
    expect(outcomes[1]).toMatchObject({ row: null, serial: 'serial-of-E2', changed: ['isActive'] });
  });

  test('is what a run does, whatever the renames, the order of rows and the chunk size', async () => {
    const ids = ['E1', 'E2', 'E3', 'E4', 'E5'];
    const row = fc.record({
      id: fc.constantFrom(...ids),
      old: fc.constantFrom('', ...ids),
      name: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.subarray(ids),
        fc.integer({ min: 1, max: 3 }),
        async (given, before, rowsPerChunk) => {
          const lines = given.map(
            ({ id, old, name }) => `${id},${name ? 'Other' : `User ${id}`},n@example.com,,${old}`,
          );
          const users = new Users(...before);
          const plan = await planned(await fileOf(...lines), users, { rowsPerChunk });
          const entries = await run(await fileOf(...lines), users, { rowsPerChunk });
          const outcomes = entries.flatMap((entry) => ('outcomes' in entry ? entry.outcomes : []));
          expect(told(plan)).toEqual(told(outcomes));
        },
      ),
    );
  });
});

describe('a run', () => {
  const newUsers = Array.from({ length: 8 }, (_, at) => `E${at},New,n@example.com,,`);

  test('notes what a call will do before it is sent, and its outcomes before the next one', async () => {
    const users = new Users('E1');
    const file = await fileOf('E1,Ada,,,', 'E2,New,n@example.com,,', 'E3,New,n@example.com,,');
    const seen: string[] = [];
    const entries = await run(file, {
      lookup: (ids) => users.lookup(ids),
      send: (key, call) => {
        seen.push(key);
        return users.send(key, call);
      },
    });
    expect(seen).toEqual(['file-0-u', 'file-0-c', 'file-1-c']);
    expect(entries).toMatchObject([
      {
        chunk: 'file-0',
        intends: [
          ['E1', 'updated'],
          ['E2', 'created'],
        ],
      },
      { chunk: 'file-0', outcomes: [{ kind: 'updated' }, { kind: 'created' }], retries: [] },
      { chunk: 'file-1', intends: [['E3', 'created']] },
      { chunk: 'file-1', outcomes: [{ kind: 'created' }] },
    ]);
  });

  test('holds the rows of two chunks', async () => {
    const file = await fileOf(...newUsers);
    const users = new Users();
    let [read, sent] = [0, 0];
    const rowsPerChunk = 2;
    const counted = (row: Parameters<typeof file.read>[0]) => {
      read++;
      return file.read(row);
    };
    const target: SyncTarget = {
      lookup: async (ids) => {
        expect(read).toBeLessThanOrEqual(sent + 2 * rowsPerChunk);
        return users.lookup(ids);
      },
      send: async (key, call) => {
        sent += call.items.length;
        return users.send(key, call);
      },
    };
    await run({ ...file, read: counted }, target, { rowsPerChunk });
    expect(sent).toBe(newUsers.length);
  });

  test('neither reads nor looks up rows that are known to change nothing, and counts them in their chunks', async () => {
    const users = new Users('E1', 'E2', 'E3');
    const file = await fileOf('E1,User E1,,,', 'E2,User E2,,,', 'E3,Cy,,,');
    const lookedUp: string[] = [];
    const target: SyncTarget = {
      lookup: async (ids) => {
        lookedUp.push(...ids);
        return users.lookup(ids);
      },
      send: (key, call) => users.send(key, call),
    };
    const entries = await run(file, target, { isSettled: (row) => row < 4 });
    expect(lookedUp).toEqual(['E3']);
    expect(entries.filter((entry) => 'outcomes' in entry)).toMatchObject([
      {
        chunk: 'file-0',
        outcomes: [
          { row: 2, kind: 'unchanged' },
          { row: 3, kind: 'unchanged' },
        ],
      },
      { chunk: 'file-1', outcomes: [{ row: 4, kind: 'updated' }] },
    ]);
  });

  test('stops between chunks', async () => {
    const users = new Users();
    const checkpoint = () => {
      if (users.calls.length === 2) throw new Error('Stop');
    };
    await expect(run(await fileOf(...newUsers), users, { checkpoint })).rejects.toThrow('Stop');
    expect(users.calls).toEqual(['file-0-c', 'file-1-c']);
  });

  test('reports a deactivation once, however often the run is interrupted', async () => {
    const users = new Users('E1', 'E2');
    const file = () => fileOf('E9,New,n@example.com,,');
    const entries: JournalEntry[] = [{ chunk: 'missing-0', intends: [['E1', 'deactivated']] }];
    await users.send('', { items: [{ employeeID: 'E1', isActive: false }] });
    for (const left of ['E2', 'E3']) {
      const resumed = await resumeStateOf(
        (async function* () {
          yield* entries;
        })(),
        () => false,
      );
      entries.push(
        ...(await run(await file(), users, { resumed, missing: { ids: indexOf(left), target: users } })),
      );
    }
    const outcomes = entries.flatMap((entry) => ('outcomes' in entry ? entry.outcomes : []));
    expect(outcomes.map(({ employeeID, kind }) => [employeeID, kind])).toEqual([
      ['E9', 'created'],
      ['E1', 'deactivated'],
      ['E2', 'deactivated'],
    ]);
  });
});
