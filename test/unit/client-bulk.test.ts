import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, type Slice } from '../../client/src/cut.js';
import {
  type AnsweredCall,
  BulkInterrupted,
  type BulkProgress,
  createInBulk,
  limits,
  type Outcome,
  updateInBulk,
} from '../../client/src/index.js';
import {
  type Answer,
  broken,
  errorOf,
  failing,
  hand,
  held,
  saying,
  unheard,
  useFront,
} from '../http/client/front.js';
import { fakeClient, useFakeService } from '../support/fake-service.js';
import { newId } from '../support/service.js';

async function slicesOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  itemsPerCall: number,
  bytesPerCall: number,
) {
  const slices: Slice<T>[] = [];
  for await (const slice of cut(items, { itemsPerCall, bytesPerCall })) slices.push(slice);
  return slices;
}

const bodyBytes = (items: readonly unknown[]) => Buffer.byteLength(JSON.stringify({ items }));

describe('splitting a list into calls', () => {
  test('keeps all items in order, stays within the limits, and fills each call as far as possible', async () => {
    const item = fc.record({ name: fc.string({ unit: 'binary', maxLength: 40 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 300, max: 900 }),
        async (items, itemsPerCall, bytesPerCall) => {
          const slices = await slicesOf(items, itemsPerCall, bytesPerCall);
          expect(slices.flatMap((slice) => slice.items)).toEqual(items);
          let first = 0;
          for (const [at, slice] of slices.entries()) {
            expect([slice.first, slice.isLast]).toEqual([first, at === slices.length - 1]);
            first += slice.items.length;
            expect(slice.items.length).toBeLessThanOrEqual(itemsPerCall);
            expect(bodyBytes(slice.items)).toBeLessThanOrEqual(bytesPerCall);
            const next = slices[at + 1]?.items[0];
            if (next === undefined) continue;
            const isFull = slice.items.length === itemsPerCall;
            // One byte of tolerance: every item is counted with a comma.
            expect(isFull || bodyBytes([...slice.items, next]) >= bytesPerCall).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('rejects an item that is too large for any call, before sending it', async () => {
    const items = [{ name: 'a' }, { name: 'b'.repeat(100) }];
    await expect(slicesOf(items, 10, 60)).rejects.toThrow('The item at position 1 is too large');
  });

  test('makes no call for an empty list', async () => {
    expect(await slicesOf([], 10, 100)).toEqual([]);
  });
});

const service = useFakeService();
const front = useFront(service);

const updates = '/service/users/update-bulk';
const creates = '/service/users/create-bulk';

const user = (employeeID = newId()) => ({
  employeeID,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  isActive: true,
});
const users = (count: number) => Array.from({ length: count }, () => user());
const update = (employeeID: string) => ({ employeeID, name: 'Ada King', isActive: true });

/** Updates of users who exist. */
function existing(count: number) {
  return Array.from({ length: count }, () => {
    const employeeID = newId();
    service.users.set(employeeID, employeeID);
    return update(employeeID);
  });
}

/** Records the outcomes, calls and progress it receives. */
function listener<Item>() {
  const outcomes: Outcome<Item>[] = [];
  const calls: AnsweredCall[] = [];
  const progress: BulkProgress[] = [];
  return {
    outcomes,
    calls,
    progress,
    onOutcomes(given: Outcome<Item>[], call: AnsweredCall) {
      outcomes.push(...given);
      calls.push(call);
    },
    onProgress: (given: BulkProgress) => void progress.push(given),
    get told() {
      return outcomes.map((each) => [each.position, each.ok ? 'ok' : each.error.name]);
    },
  };
}

const itemsSent = (path: string): number[] =>
  front.requests(path).map(({ body }) => JSON.parse(body).items.length);

async function interruption(work: Promise<unknown>): Promise<BulkInterrupted> {
  const error = await errorOf(work);
  expect(error).toBeInstanceOf(BulkInterrupted);
  return error as BulkInterrupted;
}

/** Answers the next request like any other. */
const passed: Answer = async ({ response, pass }) => hand(response, await pass());

/** A successful response with this report. */
const reporting = (report: object, status = 200): Answer =>
  saying(status, JSON.stringify({ status: 'success', message: '', data: report }));

describe('a long list', () => {
  test('is sent in calls of the given number of items, each outcome with its position in the list', async () => {
    const items = [...existing(2), update(newId()), ...existing(1), update(newId()), ...existing(2)];
    const heard = listener<(typeof items)[number]>();
    const result = await updateInBulk(fakeClient(front), items, { itemsPerCall: 3, ...heard });
    expect(itemsSent(updates)).toEqual([3, 3, 1]);
    expect(front.requests(updates).map(({ url }) => url)).toEqual(Array(3).fill(`${updates}?details=true`));
    expect(heard.told).toEqual([
      [0, 'ok'],
      [1, 'ok'],
      [2, 'USER_NOT_FOUND'],
      [3, 'ok'],
      [4, 'USER_NOT_FOUND'],
      [5, 'ok'],
      [6, 'ok'],
    ]);
    expect(heard.outcomes.map(({ item }) => item)).toEqual(items);
    expect(heard.progress).toEqual([
      { calls: 1, done: 3, succeeded: 2, failed: 1, planned: 0, total: 7 },
      { calls: 2, done: 6, succeeded: 4, failed: 2, planned: 0, total: 7 },
      { calls: 3, done: 7, succeeded: 5, failed: 2, planned: 0, total: 7 },
    ]);
    expect(result).toEqual(heard.progress.at(-1));
    expect(heard.calls).toMatchObject(
      [
        [0, 3],
        [3, 3],
        [6, 1],
      ].map(([first, count]) => ({ first, count, isReplay: false, callId: expect.any(String) })),
    );
    expect(new Set(heard.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  });

  test('is also split by the bytes of the body sent', async () => {
    const items = users(6).map((each) => ({ ...each, name: 'é'.repeat(100) }));
    const bytesPerCall = Buffer.byteLength(JSON.stringify({ items: items.slice(4) })) + 4;
    const result = await createInBulk(fakeClient(front), items, { bytesPerCall });
    expect(result).toEqual({ calls: 3, done: 6, succeeded: 6, failed: 0, planned: 0, total: 6 });
    expect(itemsSent(creates)).toEqual([2, 2, 2]);
    for (const { headers } of front.requests(creates))
      expect(Number(headers['content-length'])).toBeLessThanOrEqual(bytesPerCall);
  });

  test('is never split into calls that exceed the limit of the service', async () => {
    const gone = newId();
    const items = (function* () {
      for (let at = 0; at <= limits.bulkItemsMax; at++) yield update(gone);
    })();
    const result = await updateInBulk(fakeClient(front), items, { itemsPerCall: 50_000 });
    expect(itemsSent(updates)).toEqual([10_000, 1]);
    expect(result).toMatchObject({ done: 10_001, failed: 10_001, total: undefined });
  });

  test('is read at most one item ahead, closed on failure, and waits until outcomes are processed', async () => {
    const ids = existing(6);
    let read = 0;
    let isClosed = false;
    async function* items() {
      try {
        for (const item of ids) {
          read++;
          yield item;
        }
      } finally {
        isClosed = true;
      }
    }
    const seen: [read: number, sent: number][] = [];
    const error = await interruption(
      updateInBulk(fakeClient(front), items(), {
        itemsPerCall: 2,
        async onOutcomes() {
          await new Promise(setImmediate);
          seen.push([read, front.requests(updates).length]);
          if (seen.length === 2) throw new Error('disk full');
        },
      }),
    );
    expect(seen).toEqual([
      [3, 1],
      [5, 2],
    ]);
    expect(isClosed).toBe(true);
    expect(error).toMatchObject({ message: 'Stopped after 4 items: disk full', open: undefined });
  });

  test('that is empty sends no call', async () => {
    const none = { calls: 0, done: 0, succeeded: 0, failed: 0, planned: 0, total: 0 };
    expect(await updateInBulk(fakeClient(front), [])).toEqual(none);
    expect(front.requests(updates)).toEqual([]);
  });

  test('has the positions of other items in its errors count from its start', async () => {
    const failedItem = (position: number, message: string, data: object) => ({
      ...{ payload: {}, position },
      error: { errorCode: 1, message, detail: 'items[0]: no.', reason: 'No.', data },
    });
    const ok = [{ payload: {}, position: 0, response: { serial: 's' }, effect: { kind: 'created' } }];
    const failedItems = [
      failedItem(1, 'USER_EMPLOYEE_ID_EXISTS', { takenBy: { position: 0 } }),
      failedItem(2, 'USER_USERNAME_EXISTS', { takenBy: { position: null } }),
      failedItem(3, 'USER_EMPLOYEE_ID_EXISTS', { quarantined: { position: 0 } }),
      failedItem(4, 'USER_NOT_FOUND', { renamedBy: { position: 0 } }),
    ];
    front.answer(creates, passed, reporting({ successItems: ok, failedItems }));
    const heard = listener();
    await createInBulk(fakeClient(front), users(10), { itemsPerCall: 5, ...heard });
    expect(heard.outcomes.slice(5)).toMatchObject([
      { position: 5, serial: 's', effect: { kind: 'created' } },
      { position: 6, reason: 'No.', error: { data: { takenBy: { position: 5 } } } },
      { error: { data: { takenBy: { position: null } } } },
      { error: { data: { quarantined: { position: 5 } } } },
      { error: { data: { renamedBy: { position: 5 } } } },
    ]);
  });

  test('is not matched to a report without positions, or that does not mention every item', async () => {
    const one = { payload: {}, response: { serial: 's' } };
    for (const [successItems, message] of [
      [[one, one], 'The report has no positions'],
      [[{ ...one, position: 1 }], 'The report does not mention items[0]'],
    ] as const) {
      front.answer(creates, reporting({ successItems, failedItems: [] }));
      const error = await interruption(createInBulk(fakeClient(front), users(2)));
      expect(error.message).toContain(message);
      expect(error).toMatchObject({ progress: { done: 0 }, open: { first: 0, count: 2 } });
    }
  });

  test('that is planned counts as planned, and its outcomes are a preview', async () => {
    const items = users(2);
    const [one, other] = items.map((payload, position) => ({ payload, position }));
    const error = { errorCode: 10102, message: 'USER_NOT_FOUND', detail: 'No.' };
    const report = {
      successItems: [{ ...one, response: { serial: null } }],
      failedItems: [{ ...other, error }],
    };
    front.answer(creates, reporting(report, 202));
    const heard = listener();
    const result = await createInBulk(fakeClient(front), items, heard);
    expect(result).toEqual({ calls: 1, done: 2, succeeded: 0, failed: 0, planned: 2, total: 2 });
    expect(heard.told).toEqual([
      [0, 'ok'],
      [1, 'USER_NOT_FOUND'],
    ]);
    expect(heard.calls).toMatchObject([{ isPlanned: true, isReplay: false, callId: undefined }]);
  });

  test('of swaps is sent in one call, or rejected before anything is sent', async () => {
    const items = existing(3);
    const query = { mode: 'finalState' } as const;
    const rollcall = fakeClient(front);
    const error = await interruption(updateInBulk(rollcall, items, { query, itemsPerCall: 2 }));
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(front.requests(updates)).toEqual([]);
    expect(await updateInBulk(rollcall, items, { query, itemsPerCall: 3 })).toMatchObject({ succeeded: 3 });
  });
});

describe('a list that is interrupted', () => {
  test('by its signal between calls has reported all it did and sends nothing more', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const error = await interruption(
      createInBulk(fakeClient(front), users(6), {
        itemsPerCall: 2,
        signal: stop.signal,
        onProgress: ({ calls }) => calls === 2 && stop.abort(reason),
      }),
    );
    expect(error).toMatchObject({
      message: 'Stopped after 4 items: enough',
      cause: reason,
      progress: { calls: 2, done: 4, succeeded: 4, failed: 0, planned: 0, total: 6 },
      open: undefined,
    });
    expect(front.requests(creates)).toHaveLength(2);
  });

  test('by its signal during a call still reports the outcome of that call', async () => {
    const stop = new AbortController();
    const slow = held();
    front.answer(creates, slow.gate);
    const heard = listener();
    const run = interruption(
      createInBulk(fakeClient(front), users(4), { itemsPerCall: 2, signal: stop.signal, ...heard }),
    );
    await slow.reached;
    stop.abort();
    slow.open();
    expect(await run).toMatchObject({ progress: { done: 2, succeeded: 2 }, open: undefined });
    expect(heard.outcomes).toHaveLength(2);
  });

  test('by its signal during a pause stops immediately', async () => {
    const stop = new AbortController();
    const busy = held(failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '50' }));
    front.answer(creates, busy.gate);
    const run = interruption(createInBulk(fakeClient(front), users(2), { signal: stop.signal }));
    await busy.reached;
    busy.open();
    stop.abort();
    expect(await run).toMatchObject({ progress: { done: 0 }, open: undefined });
  });

  test('by a rejected call reports no open call; by a lost one, reports that call, and can be resent', async () => {
    const stoppedBy = async (answer: Answer, idempotencyKeyPrefix: string) => {
      const items = users(5);
      front.answer(creates, passed, answer);
      const options = { itemsPerCall: 2, idempotencyKeyPrefix };
      const run = createInBulk(fakeClient(front), items, { ...options, retry: false });
      return { error: await interruption(run), items, options };
    };
    const rejected = await stoppedBy(failing(409, 'CALL_EXCEEDS_SAFETY_LIMIT'), newId('key'));
    expect(rejected.error).toMatchObject({
      cause: { name: 'CALL_EXCEEDS_SAFETY_LIMIT' },
      progress: { done: 2 },
      open: undefined,
    });
    const prefix = newId('key');
    const lost = await stoppedBy(unheard, prefix);
    expect(lost.error).toMatchObject({
      cause: { name: 'ConnectionFailed' },
      progress: { done: 2 },
      open: { first: 2, count: 2, idempotencyKey: `${prefix}-2` },
    });
    const heard = listener();
    const again = await createInBulk(fakeClient(front), lost.items, { ...lost.options, ...heard });
    expect(again).toMatchObject({ succeeded: 5, failed: 0 });
    expect(heard.calls.map(({ isReplay }) => isReplay)).toEqual([true, true, false]);
  });
});

test('a call whose response was lost, or that the database interrupted, is resent with its key', async () => {
  front.answer(creates, unheard, broken, failing(503, 'SERVICE_OUTCOME_UNKNOWN'));
  const heard = listener();
  expect(await createInBulk(fakeClient(front), users(3), heard)).toMatchObject({ succeeded: 3, failed: 0 });
  expect(heard.calls).toMatchObject([{ isReplay: true }]);
  expect(front.requests(creates)).toHaveLength(4);

  const [item] = existing(1);
  const error = { errorCode: 10901, message: 'SERVICE_UNAVAILABLE', detail: 'Later.' };
  front.answer(
    updates,
    reporting({ successItems: [], failedItems: [{ payload: item, position: 0, error }] }),
  );
  expect(await updateInBulk(fakeClient(front), [item as never])).toMatchObject({ succeeded: 1, failed: 0 });
  const keys = front.requests(updates).map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});
