import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemFor } from '../support/bulk-items.js';
import { callIdOf, failuresOf, successesOf, undo } from '../support/calls.js';
import { sendWithKey } from '../support/idempotent-requests.js';
import { expectReplayed, type LogRow, logRows, userRows } from '../support/log-replay.js';
import { createDatabase, type GivenUser, newId, type Reply, TestService } from '../support/service.js';

/**
 * Many requests for the same few users at once: lock-free calls in any order and in many chunks, calls with renames,
 * single changes, creates, undos and repeated requests. Whatever happens, the reports must be true.
 */
let service: TestService;

beforeAll(async () => {
  // Deadlocks are detected at once, so there are more of them, and none costs a second.
  const url = new URL(await createDatabase());
  url.searchParams.set('options', '-c deadlock_timeout=5ms');
  service = await TestService.start({ DATABASE_URL: url.href, ROLLCALL_BULK_CHUNK_ITEMS: '2' });
});

afterAll(() => service.stop());

const clients = 6;
const rounds = 8;
const updates = '/service/users/update-bulk?effects=true';

/** A different but deterministic order for each turn. */
function inOrderOf<T>(list: readonly T[], turn: number): T[] {
  const moved = [...list.slice(turn % list.length), ...list.slice(0, turn % list.length)];
  return turn % 2 ? moved.reverse() : moved;
}

/** Everything a client does, in sequence. Returns the replies of its bulk calls. */
async function work(client: number, users: readonly GivenUser[], spare: readonly string[]): Promise<Reply[]> {
  const calls: Reply[] = [];
  const ids = users.map(({ employeeID }) => employeeID);
  const usernames = ids.map((id) => `u${id}`);
  const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
  for (let round = 0; round < rounds; round++) {
    const turn = client * 5 + round * 3;
    const phone = `1${client}${round}`;
    const quick = inOrderOf(ids, turn).map((id, index) =>
      itemFor(id, { phone, name: `N${turn}`, isActive: (turn + index) % 3 > 0 }),
    );
    switch ((client + round) % 7) {
      case 0:
      case 1:
        calls.push(await service.post(updates, { items: quick }));
        break;
      case 2: {
        // Rotating usernames: most are taken, and only some chunks change any.
        const items = inOrderOf(ids, turn).map((id, index) =>
          itemFor(id, { phone, ...(index > 3 && { username: at(usernames, ids.indexOf(id) + (turn % 3)) }) }),
        );
        calls.push(await service.post(updates, { items }));
        break;
      }
      case 3: {
        const names = [...ids, ...spare];
        const items = inOrderOf(names, turn)
          .slice(0, 5)
          .map((id, index) =>
            itemFor(id, { phone, newEmployeeID: at(names, names.indexOf(id) + index + 1) }),
          );
        calls.push(await service.post(updates, { items }));
        break;
      }
      case 4: {
        const { serial } = at(users, turn);
        const bodies = [
          { name: `P${turn}` },
          { employeeID: at(ids, turn + 1) },
          { username: at(usernames, turn) },
        ];
        const patched = await service.request('PATCH', `/service/users/${serial}`, {
          body: at(bodies, turn),
        });
        expect([200, 409], patched.text).toContain(patched.status);
        const body = { employeeID: at(spare, turn), name: 'New', email: 'a@b.c', isActive: true };
        const created = await service.post('/service/users', body);
        expect([201, 409], created.text).toContain(created.status);
        break;
      }
      case 5: {
        const key = newId('key');
        const both = await Promise.all(
          [1, 2].map(() => sendWithKey(service, updates, { items: quick }, key)),
        );
        const [first, second] = both.toSorted((a, b) => a.status - b.status) as [Reply, Reply];
        expect([200, 409], second.text).toContain(second.status);
        if (second.status === 200) expect(second.text).toBe(first.text);
        calls.push(first);
        break;
      }
      default: {
        const last = calls.at(-1);
        const undone = last && (await undo(service, callIdOf(last)));
        if (undone) calls.push(undone);
      }
    }
  }
  return calls;
}

interface CallRow {
  readonly id: string;
  readonly state: string;
  readonly items: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly changes: number;
}

/** What a call reported must match the log, which has one row per user. */
function expectTold(reply: Reply, call: CallRow, log: readonly LogRow[]): void {
  const rows = log.filter(({ callId }) => callId === call.id);
  const { state, items, succeeded, failed, changes } = call;
  expect({ state, items, succeeded, failed, changes }).toEqual({
    state: 'completed',
    items: successesOf(reply).length + failuresOf(reply).length,
    succeeded: successesOf(reply).length,
    failed: failuresOf(reply).length,
    changes: rows.length - 1,
  });
  expect(rows.filter(({ kind }) => kind === 'call')).toHaveLength(1);
  expect(rows.at(-1)).toMatchObject({ kind: 'call', fields: { items, succeeded, failed, changes } });
  const serials = successesOf(reply).map(({ response }) => response.serial);
  if (new Set(serials).size < serials.length) return;
  for (const { response, effect } of successesOf(reply)) {
    const logged = rows.filter(({ serial }) => serial === response.serial);
    expect(logged.map(({ kind, fields }) => ({ kind, fields }))).toEqual(
      effect.kind === 'unchanged' ? [] : [{ kind: effect.kind, fields: effect.fields }],
    );
  }
}

describe('concurrent requests for the same few users', () => {
  test(`${clients} clients with ${rounds} requests each get true reports, and the log is complete`, async () => {
    const before = await userRows(service.database.pool);
    const users: GivenUser[] = [];
    while (users.length < 8) users.push(await service.givenUser({ phone: '123' }));
    const spare = [newId('S'), newId('S'), newId('S')];
    const replies = (
      await Promise.all(Array.from({ length: clients }, (_, client) => work(client, users, spare)))
    ).flat();

    const log = await logRows(service.database.pool);
    const known = new Set(before.map(({ serial }) => serial));
    expectReplayed(
      before,
      log.filter(({ serial, version }) => !(serial && known.has(serial) && version === 1)),
      await userRows(service.database.pool),
    );
    const { rows } = await service.database.pool.query<CallRow>(
      'SELECT id, state, items, succeeded, failed, changes FROM calls',
    );
    const records = new Map(rows.map((row) => [row.id, row]));
    for (const reply of replies) {
      expect(reply.status, reply.text).toBe(200);
      for (const { error } of failuresOf(reply)) expect(error.errorCode, error.detail).toBeLessThan(10900);
      expectTold(reply, records.get(callIdOf(reply)) as CallRow, log);
    }
    expect(new Set(replies.map(callIdOf)), 'and there are no others').toEqual(new Set(records.keys()));
  });
});
