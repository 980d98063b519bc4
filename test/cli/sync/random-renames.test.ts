import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId, useService } from '../../support/service.js';
import { givenFile, sync } from './sync-command.js';

const service = useService();

/** Few runs with many users: each run takes two syncs. */
const places = 12;

interface Story {
  /** The user at each place before the sync, if any. */
  readonly before: readonly (number | undefined)[];
  /** The user at each place afterwards: one of those, a new one, or none. */
  readonly after: readonly (number | 'new' | undefined)[];
}

/** Users who move to other places in chains of any length, and new users who take the places they leave. */
const story: fc.Arbitrary<Story> = fc
  .record({
    taken: fc.array(fc.boolean(), { minLength: places, maxLength: places }),
    moves: fc.shuffledSubarray(
      Array.from({ length: places }, (_, place) => place),
      { minLength: 2 },
    ),
    newcomers: fc.array(fc.boolean(), { minLength: places, maxLength: places }),
  })
  .map(({ taken, moves, newcomers }) => {
    const before = taken.map((isTaken, place) => (isTaken ? place : undefined));
    const after: (number | 'new' | undefined)[] = [...before];
    // Each moves to the previous place in the list if it's free by then. That makes chains, never cycles.
    for (const [index, from] of moves.entries()) {
      const to = moves[index - 1];
      if (to === undefined || after[to] !== undefined || after[from] === undefined) continue;
      after[to] = after[from];
      after[from] = undefined;
    }
    for (const [place, isNew] of newcomers.entries()) if (isNew) after[place] ??= 'new';
    return { before, after };
  });

test('every user ends up where the file says, whatever the order of rows and the chunk size', async () => {
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      async (told, chunk, order) => {
        const ids = Array.from({ length: places }, () => newId());
        const given = told.before.flatMap((user, place) =>
          user === undefined
            ? []
            : [{ employeeID: ids[place], name: `Person ${user}`, email: 'p@example.com', isActive: true }],
        );
        if (given.length > 0) expect((await service.createBulk(given)).json.data.failedItems).toEqual([]);
        const rows = told.after.flatMap((user, place) => {
          if (user === undefined) return [];
          const old = user === 'new' || user === place ? '' : ids[user];
          const name = user === 'new' ? `Newcomer ${place}` : `Person ${user}`;
          return [`${ids[place]},${name},p@example.com,${old}\n`];
        });
        if (rows.length === 0) return;
        const shuffled = rows.map((row) => ({ row, at: order.next().value })).sort((a, b) => a.at - b.at);
        const file = givenFile(`employeeID,name,email,old\n${shuffled.map(({ row }) => row).join('')}`);
        const options = ['--rename-from', 'old', '--chunk', String(chunk)];

        const serials = await whoHas(ids);
        const first = await sync(service, file, ...options);
        expect(first.code, `${first.stderr}\n${JSON.stringify(first.report)}`).toBe(0);
        const now = await whoHas(ids);
        for (const [place, user] of told.after.entries()) {
          const name = user === 'new' ? `Newcomer ${place}` : `Person ${user}`;
          expect(now[place]?.name).toBe(user === undefined ? undefined : name);
          if (typeof user === 'number') expect(now[place]?.serial).toBe(serials[user]?.serial);
        }
        const again = await sync(service, file, ...options);
        expect(again.summary).toMatchObject({ unchanged: rows.length, failed: 0 });
      },
    ),
    { numRuns: 5 },
  );
});

async function whoHas(ids: readonly string[]) {
  const reply = await service.post('/service/users/lookup', { employeeIDs: ids });
  const users: { employeeID: string; serial: string; name: string }[] = reply.json.data.items;
  return ids.map((id) => users.find(({ employeeID }) => employeeID === id));
}
