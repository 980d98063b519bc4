// Texts of the console are there before the modules that use them.
import '../../support/english.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientCredentials, createClient, upsertInBulk } from '../../../client/src/index.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import { startRun } from '../../../console/src/import/run/send-calls.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import type { Item } from '../../../console/src/import/state/service-calls.js';
import { verdictOf } from '../../../console/src/import/state/verdicts.js';
import { eagerFeeds, givenFeed, mappingOf, unlimited } from '../../support/feeds.js';
import { before, copyOf, row } from '../../support/generated-files.js';
import { credentialsIn, useService } from '../../support/service.js';
import { dependenciesOf, given, rowsOf } from '../../unit/console/imports.js';

const service = useService(eagerFeeds);

/** Imports a file as the console does. Returns the rows that were to do something, each with what became of it. */
async function imported(content: string) {
  const rollcall = createClient({
    baseUrl: service.url,
    auth: clientCredentials(credentialsIn(service.dataDir)),
  });
  const upsert = async (items: readonly Item[], query: object): Promise<ItemReport[]> => {
    const reports: ItemReport[] = [];
    await upsertInBulk(rollcall, items, {
      query,
      onOutcomes: (outcomes) => {
        for (const outcome of outcomes) {
          reports.push(
            outcome.ok ? { ok: true, effect: outcome.effect } : { ok: false, error: outcome.error },
          );
        }
      },
    });
    return reports;
  };
  const { dependencies } = dependenciesOf({
    preview: (items) => upsert(items, { dryRun: true }),
    send: async (items, { key: callId }) => ({
      ...{ reports: await upsert(items, { effects: true }), callId, isPlanned: false },
    }),
  });
  const store = await given(content);
  await startCheck(store, dependencies);
  await startRun(store, dependencies);
  const rows = rowsOf(store);
  return rows.numbers.flatMap((number, row): [number, string][] => {
    const outcome = rows.outcomes[row];
    const verdict = verdictOf(rows, row);
    if (verdict === 'unchanged') return [];
    return [[number, outcome?.kind === 'done' ? outcome.change : 'failed']];
  });
}

/** The import leaves two rows about one user to the person who sees them. Nobody looks at those of a feed, so both fail. */
const rowsByPerson = fc.uniqueArray(
  row.map((each) => ({ ...each, renamedFrom: undefined })),
  { selector: ({ person }) => person, minLength: 1, maxLength: 8 },
);

test('a feed does with a file what the import of the console does, row by row', async () => {
  const property = fc.asyncProperty(before, rowsByPerson, async (users, file) => {
    const [byHand, byFeed] = [await copyOf(service, users, file), await copyOf(service, users, file)];
    const outcomes = await imported(byHand.content);
    const feed = await givenFeed(service, {
      ...{ mapping: mappingOf(['employeeID', 'name', 'isActive', 'email']), limits: unlimited },
    });
    const run = await feed.synced(byFeed.content);
    expect(run).toMatchObject({ state: 'done', problem: null });
    expect((await feed.rows(run.id)).map(({ row, kind }) => [row, kind])).toEqual(outcomes);
    expect(await byFeed.state()).toEqual(await byHand.state());
  });
  await fc.assert(property, { numRuns: 6 });
});
