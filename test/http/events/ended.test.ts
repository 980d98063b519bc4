import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { transaction } from '../../../src/storage/database.js';
import { createdClient } from '../../support/api-clients.js';
import { EventStream, type StreamOptions } from '../../support/event-stream.js';
import { expectFailure } from '../../support/expect-failure.js';
import { issueToken, TestService, useOwnService, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { eagerEvents, givenChanges } from '../../support/webhooks.js';

const service = useService(eagerEvents);

// Access is checked every five seconds, so these run concurrently.
describe.concurrent('a stream ends', () => {
  /** Longer than a test may take: a service that waits for readers when it stops fails the test. */
  const waitsForReaders = { ...eagerEvents, ROLLCALL_SHUTDOWN_TIMEOUT_MS: '3600000' };

  async function endsAfter(
    { expect, onTestFinished: whenFinished }: Pick<typeof import('vitest'), 'expect' | 'onTestFinished'>,
    token: string,
    deed: () => Promise<{ readonly status: number }>,
  ): Promise<void> {
    const stream = await EventStream.open(service, { token, whenFinished });
    const steady = await EventStream.open(service, { whenFinished });
    expect((await deed()).status).toBe(200);
    await expect.poll(() => stream.isOpen).toBe(false);
    await expect.poll(() => steady.blocks, { message: 'it shows that it lives' }).toBeGreaterThan(1);
    expect(steady.isOpen).toBe(true);
  }

  test('seconds after its client loses the scope', async (context) => {
    const client = await createdClient(service, ['audit:read', 'users:read']);
    const token = await issueToken(service.url, client);
    const body = { scopes: ['users:read'] };
    await endsAfter(context, token, () => service.request('PATCH', client.path, { body }));
  });

  test('seconds after its reader signs out', async (context) => {
    const { token } = await givenSignedInUser(service, 'administrator');
    await endsAfter(context, token, () => service.request('POST', '/service/auth/sign-out', { token }));
  });

  test('seconds after its reader loses the role, while events keep arriving', async (context) => {
    const { token, serial } = await givenSignedInUser(service, 'administrator');
    const coming = setInterval(() => void givenChanges(service, 1).catch(() => {}), 50);
    context.onTestFinished(() => clearInterval(coming));
    const body = { role: 'operator' };
    await endsAfter(context, token, () => service.request('PUT', `/service/users/${serial}/role`, { body }));
  });

  test('immediately when the service stops, even if another reader has stalled', async ({
    expect,
    onTestFinished: whenFinished,
  }) => {
    const stopping = await TestService.start(waitsForReaders);
    const open = (options: StreamOptions) => EventStream.open(stopping, { ...options, whenFinished });
    const stalled = await open({ paused: true });
    const [told, untold] = [await open({}), await open({ types: 'user.renamed' })];
    // Far more than the connection buffers hold, so the stalled reader can't receive the end of the stream.
    const fields = JSON.stringify({ name: { before: null, after: 'x'.repeat(100_000) } });
    const numbers = await givenChanges(stopping, 200, { fields });
    await expect.poll(() => told.sequences).toEqual(numbers);
    const stopped = stopping.stop();
    await expect.poll(() => [told.isOpen, untold.isOpen]).toEqual([false, false]);
    await stopped;
    expect(stopping.logs).not.toMatch(/"level":(?:50|60)/);
    stalled.read();
    await expect.poll(() => stalled.isOpen).toBe(false);
  });

  test('when the service stops while the stream is opening', async ({
    expect,
    onTestFinished: whenFinished,
  }) => {
    const stopping = await TestService.start(waitsForReaders);
    const { opening, stopped } = await transaction(stopping.database, async (tx) => {
      await tx.query('LOCK TABLE change_log IN ACCESS EXCLUSIVE MODE'); // the request waits for this lock
      const arrived = once(stopping.app.server, 'request');
      const opening = EventStream.open(stopping, { lastEventId: 0, whenFinished }).catch(() => undefined);
      await arrived;
      const stopped = stopping.stop();
      await nextTurn();
      return { opening, stopped };
    });
    await stopped;
    const stream = await opening; // or undefined if it was rejected, which is fine too
    await expect.poll(() => stream?.isOpen ?? false).toBe(false);
  });
});

describe('a node at its limit of streams', () => {
  const places = 6;
  const small = useOwnService({ ...eagerEvents, ROLLCALL_EVENT_STREAMS_MAX: String(places) });

  /** How many more streams the node accepts now. */
  async function freePlaces(): Promise<number> {
    const streams: EventStream[] = [];
    const open = () =>
      EventStream.open(small, { whenFinished: () => {} }).then((stream) => streams.push(stream));
    while (await open().catch(() => false));
    for (const stream of streams) stream.close();
    return streams.length;
  }

  test('rejects the next with 503 until one is closed', async () => {
    const before = await freePlaces();
    await expect.poll(freePlaces).toBe(before);
    const streams: EventStream[] = [];
    while (streams.length < before) streams.push(await EventStream.open(small));
    const reply = await small.get('/service/events');
    const detail =
      /^This node has reached its limit of 6 event streams\. Close one, or connect to another node\.$/;
    expectFailure(reply, 503, 10332, 'EVENTS_BUSY', detail);
    streams[0]?.close();
    await expect.poll(freePlaces).toBe(1);
  });

  test('keeps places for others: one caller has only some of them', async () => {
    const few = await TestService.start({ ...eagerEvents, ROLLCALL_EVENT_STREAMS_PER_CALLER_MAX: '2' });
    onTestFinished(() => few.stop());
    const streams = [await EventStream.open(few), await EventStream.open(few)];
    const detail =
      /^You have 2 event streams open on this node, which is the limit per caller\. Close one\.$/;
    expectFailure(await few.get('/service/events'), 503, 10332, 'EVENTS_BUSY', detail);
    const { token } = await givenSignedInUser(few, 'administrator');
    expect((await EventStream.open(few, { token })).isOpen).toBe(true);
    streams[0]?.close();
    await expect
      .poll(() =>
        EventStream.open(few).then(
          ({ isOpen }) => isOpen,
          () => false,
        ),
      )
      .toBe(true);
  });

  test('counts neither rejected requests nor HEAD', async () => {
    const before = await freePlaces();
    for (let count = 0; count < 3; count++) {
      await small.get('/service/events?types=x');
      await small.get('/service/events', { headers: { 'last-event-id': 'x' } });
      await small.get('/service/events', { token: null });
      await small.request('HEAD', '/service/events');
    }
    await expect.poll(freePlaces).toBeGreaterThanOrEqual(before);
  });

  test.each([
    ['during authentication', 'sessions'],
    ['while the start position was read', 'change_log'],
  ])('does not count a reader that disconnected %s', async (_, table) => {
    const { token } = await givenSignedInUser(small, 'administrator');
    const before = await freePlaces();
    await transaction(small.database, async (tx) => {
      // The request waits: for the lock on PostgreSQL, for the transaction on the embedded engine.
      await tx.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      for (let count = 0; count < 2; count++) {
        const arrived = once(small.app.server, 'request');
        let leave = () => {};
        const whenFinished = (end: () => void) => {
          leave = end;
        };
        const asking = EventStream.open(small, { token, lastEventId: 0, whenFinished });
        asking.catch(() => {}); // an aborted request has no response
        const [{ socket }] = (await arrived) as [IncomingMessage];
        leave();
        if (!socket.destroyed) await once(socket, 'close');
      }
    });
    await expect.poll(freePlaces).toBeGreaterThanOrEqual(before);
  });
});
