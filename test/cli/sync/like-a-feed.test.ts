import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eagerFeeds, givenFeed, mappingOf, unlimited } from '../../support/feeds.js';
import { before, copyOf, rows } from '../../support/generated-files.js';
import { useService } from '../../support/service.js';
import { givenFile, sync } from './sync-command.js';

const service = useService(eagerFeeds);

test('a feed does with a file what rollcall sync does, row by row, and a second run changes nothing', async () => {
  const property = fc.asyncProperty(before, rows, fc.boolean(), async (users, file, rehire) => {
    const [byCommand, byFeed] = [await copyOf(service, users, file), await copyOf(service, users, file)];
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
  await fc.assert(property, { numRuns: 6 });
});
