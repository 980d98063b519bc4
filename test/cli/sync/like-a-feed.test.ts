import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, eagerFeeds, givenFeed, mappingOf, unlimited } from '../../support/feeds.js';
import { aUser, newId, useService } from '../../support/service.js';
import { givenFile, sync } from './sync-command.js';

const service = useService(eagerFeeds);

const people = 6;
const name = fc.constantFrom('Ada', 'Grace', 'Alan');
const before = fc.array(fc.record({ name, isActive: fc.boolean() }), {
  minLength: people,
  maxLength: people,
});
const rows = fc.array(
  fc.record({
    person: fc.nat(people + 2),
    name,
    isActive: fc.constantFrom('true', 'false', '', 'perhaps'),
    email: fc.constantFrom('', 'one@example.com', 'no address'),
    renamedFrom: fc.option(fc.nat(people + 2), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Users with employee IDs of their own, and a file about them. */
async function copyOf(users: readonly { name: string; isActive: boolean }[], file: readonly Row[]) {
  const ids = Array.from({ length: people + 3 }, () => newId());
  const items = users.map((user, at) => aUser({ ...user, employeeID: ids[at] }));
  await service.createBulk(items);
  const idOf = (person: number | undefined) => (person === undefined ? '' : (ids[person] ?? ''));
  const content = csvOf(
    file.map(({ person, renamedFrom, ...fields }) => ({
      ...{ employeeID: idOf(person), renamedFrom: idOf(renamedFrom) },
      ...fields,
    })),
  );
  /** The users by person, without what differs between copies. */
  const state = async () => {
    const found = (await service.post('/service/users/lookup', { employeeIDs: ids })).json.data.items;
    return found
      .map(({ employeeID, name, isActive, email }: Record<string, unknown>) => ({
        ...{ person: ids.indexOf(String(employeeID)), name, isActive, email },
      }))
      .sort((a: { person: number }, b: { person: number }) => a.person - b.person);
  };
  return { content, state };
}

type Row = typeof rows extends fc.Arbitrary<(infer T)[]> ? T : never;

test('a feed does with a file what rollcall sync does, row by row, and a second run changes nothing', async () => {
  const property = fc.asyncProperty(before, rows, fc.boolean(), async (users, file, rehire) => {
    const [byCommand, byFeed] = [await copyOf(users, file), await copyOf(users, file)];
    const flags = ['--rename-from', 'renamedFrom', ...(rehire ? ['--rehire'] : [])];
    const { report } = await sync(service, givenFile(byCommand.content), ...flags);
    const feed = await givenFeed(service, {
      mapping: mappingOf(['employeeID', 'renamedFrom', 'name', 'isActive', 'email']),
      ...{ rules: { rehire }, limits: unlimited },
    });
    const run = await feed.synced(byFeed.content);
    expect(run).toMatchObject({ state: 'done', problem: null });
    const kinds = report.flatMap(({ row, outcome, error }) =>
      outcome === 'unchanged' ? [] : [[row, error?.code ?? outcome]],
    );
    expect(await feed.told(run.id)).toEqual(kinds);
    const state = await byFeed.state();
    expect(state).toEqual(await byCommand.state());
    await feed.synced(byFeed.content);
    expect(await byFeed.state()).toEqual(state);
  });
  await fc.assert(property, { numRuns: 12 });
});
