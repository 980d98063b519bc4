import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { failure } from '../../src/contract/errors.js';
import { limitDefaults } from '../../src/contract/limits.js';
import { CallTakenOver } from '../../src/domain/bulk/call-errors.js';
import { emptyNameHistory, type NameHistory } from '../../src/domain/bulk/name-history.js';
import type { FinishedChunk } from '../../src/domain/bulk/outcomes.js';
import type { Chunk } from '../../src/domain/bulk/plan.js';
import { runChunks } from '../../src/domain/bulk/run-chunks.js';
import type { ChunkPlan, LockFreeStages, Stages } from '../../src/domain/bulk/stages.js';
import { accept, type Parsed } from '../../src/domain/read-fields.js';
import { PlanOutdated } from '../../src/domain/retry-on-conflict.js';
import type { Database } from '../../src/storage/database.js';
import { OutcomeUnknown } from '../../src/storage/errors.js';
import { openMetrics } from '../../src/telemetry/prometheus.js';
import { valueIn } from '../support/metrics.js';
import { callerOf } from '../support/update-runs.js';

const { metrics, registry } = openMetrics();
/** Accepts every statement. The steps of the tests decide how a chunk ends. */
const connection = { query: async () => ({ rowCount: 1, rows: [] }), release: () => {} };
const pool = { connect: async () => connection, options: { max: 10 } };
const database = { pool } as unknown as Database; // nothing else is used
const context = { limits: limitDefaults, metrics, database };

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

const away = Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' });
const busy = Object.assign(new Error('a lock took too long'), { code: '55P03' });
const mistake = {
  ok: false,
  failure: failure('USER_FIELD_INVALID', 'The mistake of the item.', {
    field: 'phone',
    problem: 'is wrong.',
  }),
} as const;

type Item = number;
type FreePlan = ChunkPlan & { readonly first: number };

interface Strategies {
  readonly stages: Stages<Item, undefined, ChunkPlan>;
  readonly lockFree?: LockFreeStages<Item, FreePlan, FreePlan>;
}

/** A plan in which every item succeeds, with the item as the serial. */
function planOf({ items }: Chunk<Item>, nameHistory = emptyNameHistory()): ChunkPlan {
  const outcomes = items.map((item) =>
    item.ok ? ({ ok: true, serial: String(item.value), before: null, after: null } as const) : item,
  );
  return { outcomes, nameHistory };
}

/** The name history of an item, identified by its position. */
function memoryOf(position: number): NameHistory {
  const nameHistory = emptyNameHistory();
  nameHistory.usernameTakes.set(`taken by ${position}`, { position, serial: String(position) });
  return nameHistory;
}

function stagesWith(
  plan: (chunk: Chunk<Item>, past: NameHistory) => ChunkPlan,
): Stages<Item, undefined, ChunkPlan> {
  return {
    employeeIdOf: String,
    read: async () => undefined,
    plan: (chunk, _, past) => plan(chunk, past),
    write: async () => {},
    changes: () => 0,
  };
}

interface Step {
  readonly end: (answer?: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/** Strategies whose steps end when the test says so. A step is named by the first item of its chunk: "plan 0". */
function heldStrategies(concurrency: number) {
  const begun: string[] = [];
  const pasts: Record<string, string[]> = {};
  const open = new Map<string, Step>();
  const step = (name: string) =>
    new Promise((resolve, reject) => {
      begun.push(name);
      open.set(name, { end: resolve, fail: reject });
    });
  const at = (name: string): Step => {
    const held = open.get(name);
    if (!held) throw new Error(`"${name}" has not started, or has ended; started: ${begun.join(', ')}`);
    open.delete(name);
    return held;
  };
  const strategies: Strategies = {
    stages: {
      ...stagesWith((chunk, past) => {
        pasts[chunk.first] = [...past.usernameTakes.keys()];
        return planOf(chunk, memoryOf(chunk.first));
      }),
      read: async (_, { first }) => void (await step(`sequential ${first}`)),
    },
    lockFree: {
      concurrency,
      connections: { run: (_: string, work: () => Promise<unknown>) => work() } as never,
      plan: async (chunk) => {
        const isClear = (await step(`plan ${chunk.first}`)) !== 'names';
        return isClear ? { ...planOf(chunk), first: chunk.first } : undefined;
      },
      statements: async (plan) => plan,
      send: async (_, { first }) => void (await step(`write ${first}`)),
      changes: () => 0,
    },
  };
  return {
    ...{ strategies, begun, pasts },
    end: async (name: string, answer?: unknown) => {
      at(name).end(answer);
      await settled();
    },
    fail: async (name: string, error: unknown) => {
      at(name).fail(error);
      await settled();
    },
    /** Steps that have started and not ended, in order. */
    underWay: () => [...open.keys()],
    /** Ends all running steps, and those that start as a result. */
    endAll: async () => {
      for (const name of open.keys()) {
        at(name).end();
        await settled();
      }
    },
  };
}

interface Settings {
  readonly items?: readonly Parsed<Item>[];
  readonly chunkItems?: number;
  readonly done?: readonly FinishedChunk[];
  readonly nameHistory?: NameHistory;
}

const count = (items: number) => Array.from({ length: items }, (_, item) => accept(item));

/** The result of a run: what each item reports, or the error. */
async function run({ stages, lockFree }: Strategies, settings: Settings = {}) {
  const { items = count(4), chunkItems = 1, done = [], nameHistory = emptyNameHistory() } = settings;
  const origin = { actor: null, requestId: null, callId: null };
  const call = { id: '', claim: 1, kind: 'update-bulk', items: items.length, undoes: null, origin } as const;
  try {
    const parts = {
      call,
      caller: callerOf(),
      effects: false,
      canResume: false,
      chunkItems,
      done,
      nameHistory,
    };
    const running = runChunks(context, parts, items, stages, lockFree);
    let step = await running.next();
    while (!step.done) step = await running.next();
    const { outcomes, interruption } = step.value;
    return { told: outcomes.map((each) => (each.ok ? each.serial : each.failure)), interruption };
  } catch (error) {
    return { thrown: error };
  }
}

/** Starts a run without waiting for its end. */
async function start(strategies: Strategies, settings?: Settings) {
  const result = run(strategies, settings);
  await settled();
  return { result };
}

function unavailable(position: number, why: string) {
  const rest = `${why.slice(1)}. Nothing was changed; retry the request.`;
  const detail = `items[${position}]: ${why.charAt(0)}${rest}`;
  const reason = `${why.charAt(0).toUpperCase()}${rest}`;
  return { error: 'SERVICE_UNAVAILABLE', detail, reason, data: { retryAfterSeconds: 2 } } as const;
}

const unreached = (position: number) => unavailable(position, 'the database failed before this item');
const cutOff = (position: number) => unavailable(position, 'the database is unreachable');
const tooBusy = (position: number) => unavailable(position, 'the database is overloaded');

test('chunks that are planned again are counted by their reason', async () => {
  const retries = async (reason: string) =>
    valueIn(await registry.metrics(), `rollcall_bulk_chunk_retries_total{reason="${reason}"}`);
  const before = [await retries('lost-race'), await retries('conflict')] as const;
  const { strategies, end, fail, underWay } = heldStrategies(1);
  const { result } = await start(strategies, { items: count(1) });
  await end('plan 0');
  await fail('write 0', new PlanOutdated());
  expect(await retries('lost-race')).toBe(before[0] + 1);
  await fail('sequential 0', new PlanOutdated());
  expect(await retries('conflict')).toBe(before[1] + 1);
  await expect.poll(underWay).toEqual(['sequential 0']); // after a pause
  await end('sequential 0');
  expect(await result).toMatchObject({ told: ['0'] });
  expect([await retries('lost-race'), await retries('conflict')]).toEqual(before.map((each) => each + 1));
});

describe('chunks that change no names', () => {
  test('run concurrently, up to the limit, in whatever order they end', async () => {
    const { strategies, end, underWay } = heldStrategies(2);
    const { result } = await start(strategies);
    expect(underWay()).toEqual(['plan 0', 'plan 1']);
    await end('plan 0');
    await end('plan 1');
    expect(underWay()).toEqual(['write 0', 'write 1']);
    await end('write 1');
    expect(underWay()).toEqual(['write 0', 'plan 2']);
    await end('plan 2');
    await end('write 2');
    await end('plan 3');
    await end('write 3');
    expect(underWay()).toEqual(['write 0']);
    await end('write 0');
    expect(await result).toMatchObject({ told: ['0', '1', '2', '3'] });
  });

  test('run exactly once', async () => {
    const { strategies, end, begun } = heldStrategies(3);
    const { result } = await start(strategies, { items: count(3) });
    for (const step of ['plan 2', 'plan 1', 'plan 0', 'write 0', 'write 1', 'write 2']) await end(step);
    expect(await result).toMatchObject({ told: ['0', '1', '2'] });
    expect(begun).toEqual(['plan 0', 'plan 1', 'plan 2', 'write 0', 'write 1', 'write 2']);
  });

  test('are not written until all earlier chunks are known to change no names', async () => {
    const { strategies, end, underWay } = heldStrategies(3);
    await start(strategies);
    await end('plan 2');
    await end('plan 1');
    expect(underWay()).toEqual(['plan 0']);
    await end('plan 0');
    expect(underWay()).toEqual(['write 0', 'write 1', 'write 2']);
  });

  test('also wait for chunks that started long before', async () => {
    const { strategies, end, underWay } = heldStrategies(2);
    await start(strategies);
    await end('plan 1');
    expect(underWay(), 'the second lane waits for what is first').toEqual(['plan 0']);
    await end('plan 0');
    await end('write 1');
    await end('plan 2');
    expect(underWay()).toEqual(['write 0', 'write 2']);
  });
});

describe('a chunk that changes names', () => {
  test('runs sequentially after all earlier chunks, and later ones are not written until it is done', async () => {
    const { strategies, end, endAll, begun, underWay } = heldStrategies(3);
    const { result } = await start(strategies, { items: count(3) });
    await end('plan 0');
    await end('plan 2');
    await end('plan 1', 'names');
    expect(underWay()).toEqual(['write 0']);
    await end('write 0');
    expect(underWay()).toEqual(['sequential 1']);
    await end('sequential 1');
    expect(underWay(), 'what ran sequentially may have changed what it comes to').toEqual(['plan 2']);
    await endAll();
    expect(await result).toMatchObject({ told: ['0', '1', '2'] });
    expect(begun.filter((step) => step.startsWith('sequential'))).toEqual(['sequential 1']);
  });

  test('also runs sequentially if it is first or last', async () => {
    const { strategies, end, begun } = heldStrategies(3);
    const { result } = await start(strategies, { items: count(3) });
    for (const step of ['plan 0', 'plan 1', 'plan 2']) await end(step, step === 'plan 1' ? 'clear' : 'names');
    await end('sequential 0');
    await end('plan 1');
    await end('plan 2', 'names');
    await end('write 1');
    await end('sequential 2');
    expect(await result).toMatchObject({ told: ['0', '1', '2'] });
    expect(begun.at(-1)).toBe('sequential 2');
  });

  test('knows the name changes of earlier chunks, and passes on its own', async () => {
    const { strategies, end, pasts } = heldStrategies(2);
    const { result } = await start(strategies, { items: count(2), nameHistory: memoryOf(7) });
    await end('plan 0', 'names');
    await end('plan 1', 'names');
    await end('sequential 0');
    await end('plan 1', 'names');
    await end('sequential 1');
    await result;
    expect(pasts).toEqual({ 0: ['taken by 7'], 1: ['taken by 7', 'taken by 0'] });
  });
});

describe('a chunk that lost a race', () => {
  test('runs sequentially, and the others continue', async () => {
    const { strategies, end, endAll, fail, begun } = heldStrategies(2);
    const { result } = await start(strategies, { items: count(3) });
    for (const step of ['plan 0', 'plan 1']) await end(step);
    await fail('write 0', new PlanOutdated());
    await endAll();
    expect(await result).toMatchObject({ told: ['0', '1', '2'] });
    expect(begun.filter((step) => step.endsWith(' 0'))).toEqual(['plan 0', 'write 0', 'sequential 0']);
  });

  test('runs sequentially only after all earlier chunks', async () => {
    const { strategies, end, endAll, fail, underWay } = heldStrategies(2);
    const { result } = await start(strategies, { items: count(2) });
    for (const step of ['plan 0', 'plan 1']) await end(step);
    await fail('write 1', new PlanOutdated());
    expect(underWay(), 'what is before it is not done yet').toEqual(['write 0']);
    await endAll();
    expect(await result).toMatchObject({ told: ['0', '1'] });
  });

  test('runs sequentially only after an earlier chunk that also lost', async () => {
    const { strategies, end, endAll, fail, underWay } = heldStrategies(2);
    const { result } = await start(strategies, { items: count(2) });
    for (const step of ['plan 0', 'plan 1']) await end(step);
    await fail('write 0', new PlanOutdated());
    await fail('write 1', new PlanOutdated());
    expect(underWay()).toEqual(['sequential 0']);
    await endAll();
    expect(await result).toMatchObject({ told: ['0', '1'] });
  });
});

describe('a chunk that fails', () => {
  test('stops chunks that have not started; running ones finish and are reported as done', async () => {
    const { strategies, end, fail, underWay } = heldStrategies(2);
    const { result } = await start(strategies, { items: [...count(3), mistake, accept(4)] });
    for (const step of ['plan 0', 'plan 1']) await end(step);
    await fail('write 0', away);
    expect(underWay()).toEqual(['write 1']);
    await end('write 1');
    expect(await result).toMatchObject({
      told: [cutOff(0), '1', unreached(2), mistake.failure, unreached(4)],
      interruption: away,
    });
  });

  test('while planning keeps later ones from being written, because it might change names', async () => {
    const { strategies, end, endAll, fail, begun } = heldStrategies(3);
    const { result } = await start(strategies, { items: count(4) });
    await end('plan 0');
    await end('plan 2');
    await fail('plan 1', busy);
    await endAll();
    expect(await result).toMatchObject({
      told: ['0', tooBusy(1), unreached(2), unreached(3)],
      interruption: busy,
    });
    expect(begun).not.toContain('write 2');
  });

  test('next to another one that fails: each reports its own reason, and the first interrupts the call', async () => {
    const { strategies, end, fail } = heldStrategies(3);
    const { result } = await start(strategies);
    for (const step of ['plan 0', 'plan 1', 'plan 2']) await end(step);
    await end('write 1');
    await fail('plan 3', busy);
    await fail('write 2', new OutcomeUnknown());
    await fail('write 0', away);
    const unknown = expect.objectContaining({ error: 'SERVICE_OUTCOME_UNKNOWN' });
    expect(await result).toMatchObject({
      told: [cutOff(0), '1', unknown, tooBusy(3)],
      interruption: busy,
    });
  });

  test('sequentially stops the call, and keeps what was done before', async () => {
    const { strategies, end, fail, begun } = heldStrategies(1);
    const { result } = await start(strategies, { items: count(3) });
    await end('plan 0');
    await end('write 0');
    await end('plan 1', 'names');
    await fail('sequential 1', away);
    expect(await result).toMatchObject({ told: ['0', cutOff(1), unreached(2)], interruption: away });
    expect(begun).toEqual(['plan 0', 'write 0', 'plan 1', 'sequential 1']);
  });

  test('is reported as the error of the call if nothing was done', async () => {
    const { strategies, end, fail } = heldStrategies(2);
    const { result } = await start(strategies, { items: [accept(0), mistake] });
    await end('plan 0');
    await end('plan 1');
    await fail('write 0', away);
    await end('write 1');
    expect(await result).toEqual({ thrown: away });
  });

  test('with an unknown outcome is reported as such, whatever failed before', async () => {
    const { strategies, end, fail } = heldStrategies(2);
    const { result } = await start(strategies, { items: count(2) });
    await end('plan 0');
    await end('plan 1');
    await fail('write 0', away);
    await fail('write 1', new OutcomeUnknown('it may be done'));
    // The first error alone would tell the caller that nothing was changed.
    expect(await result).toEqual({ thrown: new OutcomeUnknown('it may be done') });
  });

  test.each(['write 0', 'write 1'])(
    'because the call was taken over in %s ends the call regardless of other results',
    async (lost) => {
      const { strategies, end, fail } = heldStrategies(3);
      const { result } = await start(strategies, { items: count(3) });
      for (const step of ['plan 0', 'plan 1', 'plan 2']) await end(step);
      await end('write 2');
      for (const step of ['write 0', 'write 1']) await fail(step, step === lost ? new CallTakenOver() : away);
      expect(await result).toEqual({ thrown: new CallTakenOver() });
    },
  );
});

describe('remaining chunks of a call', () => {
  const part = (first: number, items: number): FinishedChunk => ({
    first,
    outcomes: Array.from({ length: items }, (_, at) => ({ ok: true, serial: `${first + at} of before` })),
  });
  /** The items of each chunk that runs. */
  async function partsOf(items: number, chunkItems: number, done: readonly FinishedChunk[] = []) {
    const parts: number[][] = [];
    const stages = stagesWith((chunk) => {
      expect(chunk.items.map((item) => item.ok && item.value)).toEqual(
        chunk.items.map((_, at) => chunk.first + at),
      );
      parts.push(chunk.items.map((_, at) => chunk.first + at));
      return planOf(chunk);
    });
    const result = await run({ stages }, { items: count(items), chunkItems, done });
    return { parts, told: 'told' in result ? result.told : [] };
  }

  test.each([
    ['nothing is one chunk without items', 0, 2, [[]]],
    ['one item', 1, 2, [[0]]],
    ['exactly one chunk', 2, 2, [[0, 1]]],
    ['one more item', 3, 2, [[0, 1], [2]]],
    [
      'exactly two chunks',
      4,
      2,
      [
        [0, 1],
        [2, 3],
      ],
    ],
  ])('for a new call: %s', async (_, items, chunkItems, parts) => {
    expect(await partsOf(items, chunkItems)).toEqual({ parts, told: parts.flat().map(String) });
  });

  test.each([
    ['a gap at the start', 5, 2, [part(2, 2)], [[0, 1], [4]]],
    ['a gap in the middle', 6, 2, [part(0, 2), part(4, 2)], [[2, 3]]],
    ['two gaps and the end', 9, 2, [part(2, 2), part(6, 2)], [[0, 1], [4, 5], [8]]],
    ['the end', 5, 2, [part(0, 2), part(2, 2)], [[4]]],
    ['gaps smaller than a chunk', 7, 4, [part(2, 2), part(5, 1)], [[0, 1], [4], [6]]],
    ['gaps larger than a chunk', 9, 2, [part(5, 3)], [[0, 1], [2, 3], [4], [8]]],
    ['nothing', 4, 2, [part(0, 4)], []],
  ])('for an interrupted call: %s', async (_, items, chunkItems, done, parts) => {
    const isLeft = new Set(parts.flat());
    const told = Array.from({ length: items }, (_, at) => (isLeft.has(at) ? `${at}` : `${at} of before`));
    expect(await partsOf(items, chunkItems, done)).toEqual({ parts, told });
  });
});
