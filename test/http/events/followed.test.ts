import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Value } from 'typebox/value';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CallEventView, UserEventView } from '../../../src/contract/events.js';
import {
  allEventTypes,
  type EventPage,
  EventPages,
  followEvents,
} from '../../../src/domain/events/events.js';
import { transaction } from '../../../src/storage/database.js';
import { EventStream, type StreamEvent } from '../../support/event-stream.js';
import { expectFailure } from '../../support/expect-failure.js';
import { anItem, aUser, newId, type Reply, TestService, useService } from '../../support/service.js';
import { eagerEvents, givenChanges, loggedAfter } from '../../support/webhooks.js';

const service = useService(eagerEvents);

const follow = (options?: Parameters<typeof EventStream.open>[1]) => EventStream.open(service, options);

function patch(serial: string, body: unknown): Promise<Reply> {
  return service.request('PATCH', `/service/users/${serial}`, { body });
}

async function lastNumber(): Promise<number> {
  return (await givenChanges(service, 1))[0] ?? 0;
}

/** Expects exactly the fields that the API description defines for the type. */
function expectDescribed(json: StreamEvent['json']): void {
  const view = json.type === 'call.completed' ? CallEventView : UserEventView;
  expect([...Value.Errors(view, json)]).toEqual([]);
  expect(Object.keys(json).sort()).toEqual(Object.keys(view.properties).sort());
  expect(Object.keys(json.data).sort()).toEqual(Object.keys(view.properties.data.properties).sort());
}

describe('GET /service/events', () => {
  test('returns a stream that caches and proxies do not buffer, and only its headers to HEAD', async () => {
    const { headers } = await follow();
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/./),
    });
    const reply = await service.request('HEAD', '/service/events');
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  test('sends its start position immediately, so that a disconnected reader misses nothing', async () => {
    const last = await lastNumber();
    const streams = [await follow(), await follow({ lastEventId: last - 1, types: 'user.created' })];
    await expect.poll(() => streams.map(({ blocks }) => blocks > 0)).toEqual([true, true]);
    expect(streams[0]?.lastEventId).toBe(String(last));
    expect(Number(streams[1]?.lastEventId)).toBeGreaterThanOrEqual(last - 1);
  });

  test('sends events from now on and none from before', async () => {
    await service.givenUser();
    const before = await lastNumber();
    const stream = await follow();
    const { serial, employeeID, name } = await service.givenUser();
    await expect.poll(() => stream.events.length).toBe(1);
    const [event] = stream.events;
    expect(event).toEqual({ id: String(before + 1), type: 'user.created', json: expect.anything() });
    const me = (await service.get('/service/auth/me')).json.data;
    expect(event?.json).toEqual({
      type: 'user.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        sequence: before + 1,
        types: ['user.created'],
        userSerial: serial,
        employeeID,
        version: 1,
        callId: null,
        actor: { kind: 'client', id: me.id },
        requestId: expect.any(String),
        fields: expect.objectContaining({ name: { before: null, after: name } }),
      },
    });
  });

  test('sends each change under its most specific type, with all its types', async () => {
    const stream = await follow();
    const user = await service.givenUser();
    await patch(user.serial, { phone: '+49 30 123' });
    await patch(user.serial, { isActive: false });
    await patch(user.serial, { isActive: true, phone: null });
    await patch(user.serial, { isActive: true });
    const employeeID = newId();
    await service.updateBulk([anItem(user, { newEmployeeID: employeeID, isActive: false })]);
    await expect.poll(() => stream.events.length).toBe(6);
    expect(stream.events.map(({ type, json }) => [type, json.type, json.data.types])).toEqual([
      ['user.created', 'user.created', ['user.created']],
      ['user.updated', 'user.updated', ['user.updated']],
      ['user.deactivated', 'user.deactivated', ['user.deactivated', 'user.updated']],
      ['user.reactivated', 'user.reactivated', ['user.reactivated', 'user.updated']],
      ['user.renamed', 'user.renamed', ['user.renamed', 'user.deactivated', 'user.updated']],
      ['call.completed', 'call.completed', ['call.completed']],
    ]);
    const [renamed, call] = stream.events.slice(-2).map(({ json }) => json.data);
    expect(renamed).toMatchObject({
      employeeID,
      version: 5,
      fields: {
        employeeID: { before: user.employeeID, after: employeeID },
        isActive: { before: true, after: false },
      },
    });
    expect(call).toMatchObject({ callId: renamed.callId, call: expect.any(Object) });
    expect(call).not.toHaveProperty('userSerial');
    expect(call).not.toHaveProperty('fields');
    for (const { json } of stream.events) expectDescribed(json);
  });

  test('sends nothing for no-op changes, rejected requests and dry runs, and a name with any characters', async () => {
    const user = await service.givenUser();
    const stream = await follow();
    await patch(user.serial, { name: user.name });
    await service.post('/service/users', aUser({ employeeID: user.employeeID }));
    await service.post('/service/users/create-bulk?dryRun=true', { items: [aUser()] });
    const name = 'data: "x"\\ id: 9 \u{1F600} event';
    const { serial } = await service.givenUser({ name });
    await expect.poll(() => stream.events.length).toBe(1);
    expect(stream.events[0]?.json.data).toMatchObject({
      userSerial: serial,
      fields: { name: { after: name } },
    });
  });
});

describe('Last-Event-ID', () => {
  test('starts with the oldest available event if it is 0', async () => {
    const last = await lastNumber();
    const stream = await follow({ lastEventId: 0 });
    await expect.poll(() => stream.sequences.at(-1)).toBe(last);
    expect(stream.sequences).toEqual(await loggedAfter(service, 0));
    expect(stream.events.map(({ id }) => Number(id))).toEqual(stream.sequences);
  });

  test('starts with the next event if it is the latest or empty', async () => {
    const last = await lastNumber();
    const streams = [await follow({ lastEventId: last }), await follow({ lastEventId: '' })];
    const next = await lastNumber();
    for (const stream of streams) await expect.poll(() => stream.sequences).toEqual([next]);
  });

  test('resumes after any number of breaks without losing or repeating events', async () => {
    const start = await lastNumber();
    await givenChanges(service, 2_500);
    const last = await lastNumber();
    const seen: number[] = [];
    let lastEventId = String(start);
    for (let breaks = 0; seen.at(-1) !== last; breaks++) {
      const stream = await follow({ lastEventId });
      // Closed as soon as an event arrives, except for the last time.
      await expect
        .poll(() => (breaks < 5 ? stream.events.length : stream.sequences.at(-1) === last), { interval: 1 })
        .toBeTruthy();
      stream.close();
      seen.push(...stream.sequences);
      lastEventId = stream.lastEventId;
    }
    expect(seen).toEqual(await loggedAfter(service, start));
  });

  test('is a position, so the number of a rolled-back change works too', async () => {
    const before = await lastNumber();
    await service.database.pool.query(`SELECT nextval('change_numbers')`);
    const stream = await follow({ lastEventId: before + 1 });
    const next = await lastNumber();
    expect(next).toBe(before + 2);
    await expect.poll(() => stream.sequences).toEqual([next]);
  });

  test('that is not a number fails with 400', async () => {
    for (const each of ['x', '-1', '1.5', '1e3', '0x1', '1 2', '1, 2', 'NaN', '9'.repeat(16), 'evt_1']) {
      const reply = await service.get('/service/events', { headers: { 'last-event-id': each } });
      const detail = /^"Last-Event-ID" must be the ID of an event: a whole number\.$/;
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });

  test('ahead of the log fails with 400, since it must come from another database', async () => {
    const last = await lastNumber();
    for (const ahead of [last + 1, 999_999_999_999_999]) {
      const reply = await service.get('/service/events', { headers: { 'last-event-id': String(ahead) } });
      const detail = new RegExp(`^Event ${ahead} does not exist; the latest is ${last}\\.`);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });

  test('older than the retained events fails with 410, which says where to start', async () => {
    const [first = 0, ...rest] = await givenChanges(service, 3);
    await service.database.pool.query('UPDATE change_log SET pruned_to = $1', [first]);
    onTestFinished(async () => {
      await service.database.pool.query('UPDATE change_log SET pruned_to = 0');
    });
    for (const tooOld of [0, first - 1]) {
      const reply = await service.get('/service/events', { headers: { 'last-event-id': String(tooOld) } });
      const detail = new RegExp(
        `^Events up to ${first} are no longer available\\. To start with the oldest available event, send "Last-Event-ID: ${first}"`,
      );
      expectFailure(reply, 410, 10331, 'EVENTS_PRUNED', detail);
    }
    const stream = await follow({ lastEventId: first });
    await expect.poll(() => stream.sequences).toEqual(rest);
  });
});

describe('?types=', () => {
  test('passes matching events under the most specific requested type', async () => {
    const stream = await follow({ types: 'user.updated,user.deactivated' });
    const user = await service.givenUser();
    await service.updateBulk([anItem(user, { newEmployeeID: newId(), isActive: false })]);
    await patch(user.serial, { isActive: true });
    await expect.poll(() => stream.events.length).toBe(2);
    expect(stream.events.map(({ type, json }) => [type, json.type, json.data.types])).toEqual([
      ['user.deactivated', 'user.deactivated', ['user.renamed', 'user.deactivated', 'user.updated']],
      ['user.updated', 'user.updated', ['user.reactivated', 'user.updated']],
    ]);
  });

  test('advances the position of the reader past other events', async () => {
    const stream = await follow({ types: 'call.completed' });
    const [, , last] = await givenChanges(service, 3);
    await expect.poll(() => stream.lastEventId).toBe(String(last));
    expect(stream.events).toEqual([]);
    // The same for more rows than are read at once.
    const last2 = (await givenChanges(service, 2_100)).at(-1);
    await expect.poll(() => stream.lastEventId).toBe(String(last2));
    expect(stream.events).toEqual([]);
  });

  test('accepts all documented types, spaces after commas and repeated types', async () => {
    const { paths } = (await service.get('/openapi.json')).json;
    const [{ description }] = paths['/service/events'].get.parameters;
    const [, all] = /: (.*)\.$/.exec(description) ?? [];
    expect((await follow({ types: encodeURIComponent(all ?? '') })).isOpen).toBe(true);
    const stream = await follow({ types: 'user.deleted, user.deleted,%20user.created' });
    const [sequence] = await givenChanges(service, 1);
    await expect.poll(() => stream.sequences).toEqual([sequence]);
  });

  test('that is no list of types fails with 400', async () => {
    const list = /^"types" must be a comma-separated list of user\.created, .*\.$/;
    for (const [types, detail] of [
      ...['', 'user.eaten', 'user.created,', 'user.created;user.deleted', 'USER.CREATED', '*'].map(
        (each) => [each, list] as const,
      ),
      ['user.created&types=user.deleted', /^"types" appears more than once\. Send it once\.$/],
      ['%00', /^"types" must not contain NUL characters\.$/],
      ['x'.repeat(501), /^"types" must not exceed 500 characters\.$/],
      ['user.created&limit=5', /^"limit" is unknown. Use types\.$/],
    ] as const) {
      const reply = await service.get(`/service/events?types=${types}`);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    }
  });
});

describe('a reader that stalls for a while', () => {
  test('loses nothing and blocks no other reader', async () => {
    const start = await lastNumber();
    const slow = await follow({ lastEventId: start, paused: true });
    const quick = await follow({ lastEventId: start });
    // Far more than the connection buffers hold.
    const fields = JSON.stringify({ name: { before: null, after: 'x'.repeat(100_000) } });
    for (let round = 0; round < 4; round++) await givenChanges(service, 50, { fields });
    const last = await lastNumber();
    await expect.poll(() => quick.sequences.at(-1)).toBe(last);
    slow.read();
    await expect.poll(() => slow.sequences.at(-1)).toBe(last);
    const logged = await loggedAfter(service, start);
    expect(slow.sequences).toEqual(logged);
    expect(quick.sequences).toEqual(logged);
  });
});

describe('a long-lived stream', () => {
  /** Follows the log as the route does, but with a short idle time. */
  async function idlePages(): Promise<{ closing: AbortController; pages: AsyncGenerator<EventPage> }> {
    const closing = new AbortController();
    onTestFinished(() => closing.abort());
    const { signal } = closing;
    const start = await service.context.changes.refresh();
    const shared = new EventPages(service.database);
    const pages = followEvents(service.context.changes, shared, start, allEventTypes, { signal, idleMs: 10 });
    return { closing, pages };
  }

  test('keeps sending keep-alives after garbage collection', async () => {
    const { pages } = await idlePages();
    let hasCome = false;
    await transaction(service.database, async (tx) => {
      // Blocks readers of the log position: by this lock on PostgreSQL, by the transaction on the embedded engine.
      await tx.query('ALTER SEQUENCE change_numbers OWNER TO CURRENT_USER');
      void pages.next().then(() => {
        hasCome = true;
      });
      await nextTurn();
      collectGarbage();
    });
    await expect.poll(() => hasCome).toBe(true);
  });

  // https://github.com/nodejs/node/issues/55351
  test('leaks no signals while polling', async () => {
    const { closing, pages } = await idlePages();
    for (let page = 0; page < 100; page++) await pages.next();
    collectGarbage();
    expect(signalsBehind(closing.signal)).toBeLessThan(10);
  });

  test('would show leaked signals in this check', ({ skip }) => {
    const { signal } = new AbortController();
    const dependants = Array.from({ length: 20 }, () => AbortSignal.any([signal]));
    skip(Number.parseInt(process.versions.node, 10) >= 24, 'Node.js 24 retains no dependent signals.');
    expect(signalsBehind(signal)).toBe(dependants.length);
  });
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/** The number of dependent signals that Node retains for a signal. Node has no public API for it. */
function signalsBehind(signal: AbortSignal): number {
  const key = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  return key === undefined ? 0 : ((signal as unknown as Record<symbol, Set<unknown>>)[key]?.size ?? 0);
}

test('readers who start at the same event share what is read', async () => {
  const own = await TestService.start(eagerEvents);
  onTestFinished(() => own.stop());
  const numbers = await givenChanges(own, 1_000);
  const reads = vi.spyOn(own.database.pool, 'query');
  const pagesRead = () =>
    reads.mock.calls.filter((call) => (call[0] as unknown as { name?: string }).name === 'read-feed').length;
  const streams = await Promise.all(
    Array.from({ length: 8 }, () => EventStream.open(own, { lastEventId: 0 })),
  );
  for (const stream of streams) await expect.poll(() => stream.sequences.slice(-1_000)).toEqual(numbers);
  expect(pagesRead(), 'alone, each would read five pages or more').toBeLessThan(20);
});
