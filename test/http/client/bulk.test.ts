import { describe, expect, test } from 'vitest';
import {
  type AnsweredCall,
  BulkInterrupted,
  type BulkProgress,
  createInBulk,
  limits,
  type Outcome,
  type Rollcall,
  type ServiceError,
  updateInBulk,
  upsertInBulk,
} from '../../../client/src/index.js';
import { repair, whenStored } from '../../support/sabotage.js';
import { newId, useOwnService, useService } from '../../support/service.js';
import { type Answer, broken, clientOf, errorOf, failing, hand, held, unheard, useFront } from './front.js';

const service = useService();
const front = useFront(service);

const updates = '/service/users/update-bulk';
const creates = '/service/users/create-bulk';

const person = (employeeID = newId()) => ({
  employeeID,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  isActive: true,
});
const people = (count: number) => Array.from({ length: count }, () => person());
const update = (employeeID: string, change: { name?: string; newEmployeeID?: string } = {}) => ({
  employeeID,
  name: 'Ada King',
  isActive: true,
  ...change,
});

async function existing(count: number, at = service): Promise<string[]> {
  const items = people(count);
  await at.createBulk(items);
  return items.map(({ employeeID }) => employeeID);
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

describe('a long list', () => {
  test('of upserts updates existing users and creates the others, with data and positions', async () => {
    const [known] = (await existing(1)) as [string];
    const [fresh, seen] = [person(), listener()];
    const items = [person(known), fresh, { ...update(newId()), email: '' }, { ...fresh, name: 'Ada King' }];
    const result = await upsertInBulk(clientOf(front, service), items, {
      itemsPerCall: 2,
      query: { effects: true },
      ...seen,
    });
    expect(result).toMatchObject({ calls: 2, done: 4, succeeded: 3, failed: 1 });
    expect(seen.told).toEqual([
      [0, 'ok'],
      [1, 'ok'],
      [2, 'USER_CONTACT_REQUIRED'],
      [3, 'ok'],
    ]);
    const kinds = seen.outcomes.map((outcome) => outcome.ok && outcome.effect?.kind);
    expect(kinds).toEqual(['unchanged', 'created', false, 'updated']);
  });

  test('is sent in calls of the given number of items, each outcome with its position in the list', async () => {
    const rollcall = clientOf(front, service);
    const [a, b, c, d, e] = (await existing(5)) as [string, string, string, string, string];
    const gone = newId();
    const items = [a, b, gone, c, gone, d, e].map((employeeID) => update(employeeID));
    const heard = listener<(typeof items)[number]>();
    const result = await updateInBulk(rollcall, items, { itemsPerCall: 3, ...heard });

    expect(itemsSent(updates)).toEqual([3, 3, 1]);
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
    expect(heard.calls.map(({ first, count, isReplay }) => [first, count, isReplay])).toEqual([
      [0, 3, false],
      [3, 3, false],
      [6, 1, false],
    ]);
    expect(new Set(heard.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    const serials = heard.outcomes.filter(({ ok }) => ok).map((each) => 'serial' in each && each.serial);
    for (const serial of serials)
      expect(await service.readUser(String(serial))).toMatchObject({ name: 'Ada King' });
    const { callId } = heard.calls[0] as AnsweredCall;
    const call = await rollcall.call('getCall', { path: { id: String(callId) } });
    expect(call.body.data).toMatchObject({ items: 3, succeeded: 2, failed: 1 });
  });

  test('is also split by the bytes of the body sent', async () => {
    const rollcall = clientOf(front, service);
    const items = people(6).map((each) => ({ ...each, name: 'é'.repeat(100) }));
    const pairs = [0, 2, 4].map((at) => JSON.stringify({ items: items.slice(at, at + 2) }));
    const bytesPerCall = Math.max(...pairs.map((body) => Buffer.byteLength(body))) + 2;
    const result = await createInBulk(rollcall, items, { bytesPerCall });
    expect(result).toEqual({ calls: 3, done: 6, succeeded: 6, failed: 0, planned: 0, total: 6 });
    expect(itemsSent(creates)).toEqual([2, 2, 2]);
    for (const { headers } of front.requests(creates))
      expect(Number(headers['content-length'])).toBeLessThanOrEqual(bytesPerCall);
  });

  test('is never split into calls that exceed the limit of the service', async () => {
    const rollcall = clientOf(front, service);
    const gone = newId();
    const items = (function* () {
      for (let at = 0; at <= limits.bulkItemsMax; at++) yield update(gone);
    })();
    const result = await updateInBulk(rollcall, items, { itemsPerCall: 50_000 });
    expect(itemsSent(updates)).toEqual([10_000, 1]);
    expect(result).toMatchObject({ done: 10_001, failed: 10_001, total: undefined });
  });

  test('is read at most one item ahead, and closed on failure', async () => {
    const rollcall = clientOf(front, service);
    const ids = await existing(6);
    let read = 0;
    let isClosed = false;
    async function* items() {
      try {
        for (const id of ids) {
          read++;
          yield update(id);
        }
      } finally {
        isClosed = true;
      }
    }
    const reads: number[] = [];
    const error = await interruption(
      updateInBulk(rollcall, items(), {
        itemsPerCall: 2,
        onOutcomes() {
          reads.push(read);
          if (reads.length === 2) throw new Error('disk full');
        },
      }),
    );
    expect(reads).toEqual([3, 5]);
    expect(isClosed).toBe(true);
    expect(error).toMatchObject({ message: 'Stopped after 4 items: disk full', open: undefined });
  });

  test('that is empty sends no call', async () => {
    const rollcall = clientOf(front, service);
    expect(await updateInBulk(rollcall, [])).toEqual({
      calls: 0,
      done: 0,
      succeeded: 0,
      failed: 0,
      planned: 0,
      total: 0,
    });
    expect(front.requests(updates)).toEqual([]);
  });

  test('waits until the outcomes are processed', async () => {
    const rollcall = clientOf(front, service);
    const order: string[] = [];
    await updateInBulk(
      rollcall,
      (await existing(2)).map((id) => update(id)),
      {
        itemsPerCall: 1,
        async onOutcomes([outcome]) {
          order.push(`took ${outcome?.position}`);
          await new Promise(setImmediate);
          order.push(`kept ${outcome?.position}, ${front.requests(updates).length} sent`);
        },
      },
    );
    expect(order).toEqual(['took 0', 'kept 0, 1 sent', 'took 1', 'kept 1, 2 sent']);
  });
});

describe('a repeated item', () => {
  test('is created once, within a call and across calls', async () => {
    const rollcall = clientOf(front, service);
    const [one, other] = [person(), person()];
    const heard = listener();
    await createInBulk(rollcall, [one, one, other, one, other], { itemsPerCall: 3, ...heard });
    expect(heard.told).toEqual([
      [0, 'ok'],
      [1, 'USER_EMPLOYEE_ID_EXISTS'],
      [2, 'ok'],
      [3, 'USER_EMPLOYEE_ID_EXISTS'],
      [4, 'USER_EMPLOYEE_ID_EXISTS'],
    ]);
  });

  test('is updated according to who has the employee ID at that point', async () => {
    const rollcall = clientOf(front, service);
    const [id] = (await existing(1)) as [string];
    const wanted = newId();
    const items = [
      update(wanted),
      update(wanted),
      update(id, { newEmployeeID: wanted }),
      update(wanted),
      update(id, { newEmployeeID: wanted }),
      update(wanted, { newEmployeeID: id }),
      update(wanted),
      update(id, { newEmployeeID: wanted }),
      update(wanted),
    ];
    const heard = listener();
    await updateInBulk(rollcall, items, heard);
    expect(heard.told.map(([, outcome]) => outcome)).toEqual([
      'USER_NOT_FOUND',
      'USER_NOT_FOUND',
      'ok',
      'ok',
      'USER_NOT_FOUND',
      'ok',
      'USER_NOT_FOUND',
      'ok',
      'ok',
    ]);
  });

  test('is not guessed if the service sends no positions', async () => {
    const rollcall = clientOf(front, service);
    const one = person();
    const older: Answer = async ({ response, pass }) => {
      const passed = await pass();
      hand(response, { ...passed, text: passed.text.replace(/"position":\d+,/g, '') });
    };
    front.answer(creates, older);
    const error = await interruption(
      createInBulk(rollcall, [one, one], { idempotencyKeyPrefix: newId('k') }),
    );
    expect(error.message).toContain('The report has no positions');
    expect(error).toMatchObject({ progress: { done: 0 }, open: { first: 0, count: 2 } });
  });
});

/** The position of the item that holds the taken name. */
function takerOf(error: ServiceError): number | null | undefined {
  return error.name === 'USER_EMPLOYEE_ID_EXISTS' ? error.data.takenBy?.position : undefined;
}

test('takenBy gives the position in the whole list', async () => {
  const rollcall = clientOf(front, service);
  const [one, first, second] = [person(), person(), person()];
  const heard = listener();
  await createInBulk(rollcall, [first, second, one, one, first], {
    itemsPerCall: 2,
    query: { effects: true },
    ...heard,
  });
  const told = heard.outcomes.map((each) => (each.ok ? each.effect?.kind : takerOf(each.error)));
  expect(told).toEqual(['created', 'created', 'created', 2, null]);
});

test('a dry run changes nothing and has no call to undo', async () => {
  const rollcall = clientOf(front, service);
  const heard = listener();
  const item = person();
  await createInBulk(rollcall, [item], { query: { dryRun: true }, ...heard });
  expect(heard.outcomes).toMatchObject([{ ok: true, serial: null, effect: { kind: 'created' } }]);
  expect(heard.calls).toMatchObject([{ callId: undefined }]);
  expect((await service.get(`/service/users?employeeID=${item.employeeID}`)).json.data.items).toEqual([]);
});

test('a planned list counts as planned, and its outcomes are a preview', async () => {
  const rollcall = clientOf(front, service);
  const [known] = (await existing(1)) as [string];
  const heard = listener();
  const items = [update(known), update(newId())];
  const query = { effectiveAt: '2099-12-31', ifChanged: 'stop' } as const;
  const result = await updateInBulk(rollcall, items, { query, ...heard });
  expect(result).toEqual({ calls: 1, done: 2, succeeded: 0, failed: 0, planned: 2, total: 2 });
  expect(heard.told).toEqual([
    [0, 'ok'],
    [1, 'USER_NOT_FOUND'],
  ]);
  expect(heard.calls).toMatchObject([{ isPlanned: true, isReplay: false }]);
  const id = String(heard.calls[0]?.callId);
  const { data: call } = (await rollcall.call('getCall', { path: { id } })).body;
  expect(call).toMatchObject({ state: 'planned', plan: { effectiveAt: '2099-12-31T00:00:00.000Z' } });
  const { data: cancelled } = (await rollcall.call('cancelCall', { path: { id } })).body;
  expect(cancelled.state).toBe('cancelled');
});

test('a swap is sent in one call, or rejected before anything is sent', async () => {
  const rollcall = clientOf(front, service);
  const [a, b, c] = (await existing(3)) as [string, string, string];
  const query = { mode: 'finalState' } as const;
  const items = [update(a, { newEmployeeID: b }), update(b, { newEmployeeID: a }), update(c)];
  const error = await interruption(updateInBulk(rollcall, items, { query, itemsPerCall: 2 }));
  expect(error.cause).toBeInstanceOf(RangeError);
  expect(front.requests(updates)).toEqual([]);
  expect(await updateInBulk(rollcall, items, { query, itemsPerCall: 3 })).toMatchObject({ succeeded: 3 });
});

describe('a list that is interrupted', () => {
  test('by its signal between calls has reported all it did and sends nothing more', async () => {
    const rollcall = clientOf(front, service);
    const stop = new AbortController();
    const reason = new Error('enough');
    const items = people(6);
    const error = await interruption(
      createInBulk(rollcall, items, {
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
    const rollcall = clientOf(front, service);
    const stop = new AbortController();
    const slow = held();
    front.answer(creates, slow.gate);
    const heard = listener();
    const run = interruption(
      createInBulk(rollcall, people(4), { itemsPerCall: 2, signal: stop.signal, ...heard }),
    );
    await slow.reached;
    stop.abort();
    slow.open();
    expect(await run).toMatchObject({ progress: { done: 2, succeeded: 2 }, open: undefined });
    expect(heard.outcomes).toHaveLength(2);
  });

  test('by its signal during a pause stops immediately', async () => {
    const rollcall = clientOf(front, service);
    const stop = new AbortController();
    const busy = held(failing(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '50' }));
    front.answer(creates, busy.gate);
    const run = interruption(createInBulk(rollcall, people(2), { signal: stop.signal }));
    await busy.reached;
    busy.open();
    stop.abort();
    expect(await run).toMatchObject({ progress: { done: 0 }, open: undefined });
  });

  test('by a rejected call reports no open call; by a lost one, reports that call', async () => {
    const rollcall = clientOf(front, service);
    const prefix = newId('key');
    const [, , third] = await stoppedBy(rollcall, failing(409, 'CALL_EXCEEDS_SAFETY_LIMIT'), prefix);
    expect(third).toMatchObject({
      cause: { name: 'CALL_EXCEEDS_SAFETY_LIMIT' },
      progress: { done: 2 },
      open: undefined,
    });
    const lost = newId('key');
    const [, , error] = await stoppedBy(rollcall, unheard, lost);
    expect(error).toMatchObject({
      cause: { name: 'ConnectionFailed' },
      progress: { done: 2 },
      open: { first: 2, count: 2, idempotencyKey: `${lost}-2` },
    });
  });

  test('can be resent with its key prefix, and completed calls are replayed', async () => {
    const rollcall = clientOf(front, service);
    const prefix = newId('key');
    const [items] = await stoppedBy(rollcall, unheard, prefix);
    const heard = listener();
    const result = await createInBulk(rollcall, items, {
      itemsPerCall: 2,
      idempotencyKeyPrefix: prefix,
      ...heard,
    });
    expect(result).toMatchObject({ succeeded: 5, failed: 0 });
    expect(heard.calls.map(({ isReplay }) => isReplay)).toEqual([true, true, false]);
  });

  async function stoppedBy(rollcall: Rollcall, answer: Answer, idempotencyKeyPrefix: string) {
    const items = people(5);
    const heard = listener();
    front.answer(creates, async ({ response, pass }) => hand(response, await pass()), answer);
    const error = await interruption(
      createInBulk(rollcall, items, { itemsPerCall: 2, idempotencyKeyPrefix, retry: false, ...heard }),
    );
    return [items, heard, error] as const;
  }
});

test('a call whose response was lost is resent with its key and applied once', async () => {
  const rollcall = clientOf(front, service);
  front.answer(creates, unheard, broken, failing(503, 'SERVICE_OUTCOME_UNKNOWN'));
  const heard = listener();
  expect(await createInBulk(rollcall, people(3), heard)).toMatchObject({ succeeded: 3, failed: 0 });
  expect(heard.calls).toMatchObject([{ isReplay: true }]);
  expect(front.requests(creates)).toHaveLength(4);
});

describe('a call interrupted by the database', () => {
  const small = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });
  const smallFront = useFront(small);

  test('resumes where it stopped', async () => {
    const rollcall = clientOf(smallFront, small);
    const ids = await existing(6, small);
    const items = ids.map((id) => update(id, { newEmployeeID: newId() }));
    const third = items[2]?.newEmployeeID as string;
    await whenStored(small, third, `RAISE EXCEPTION 'a fault'`);
    let firstReport = '';
    smallFront.answer(updates, async ({ response, pass }) => {
      const passed = await pass();
      firstReport = passed.text;
      await repair(small, third);
      hand(response, passed);
    });
    expect(await updateInBulk(rollcall, items)).toMatchObject({ succeeded: 6, failed: 0 });
    expect(firstReport).toContain('SERVICE_UNAVAILABLE');
    expect(smallFront.requests(updates)).toHaveLength(2);
  });
});
