import type { Row } from '../row.js';
import { applyFile } from './apply-file.js';
import { type SyncOutcome, Tally } from './outcomes.js';
import type { FileRow } from './rows.js';
import type { MissingUsers, SyncRun, SyncTarget } from './sync-run.js';

/** Brings users in line with the rows of a file. The journal has the outcomes of a chunk before the next one starts. */
export async function runSync(
  run: SyncRun,
  rows: AsyncIterable<Row>,
  read: (row: Row) => FileRow,
): Promise<void> {
  for await (const { chunk, outcomes, retries } of applyFile(run, rows, read)) {
    await run.journal.done(chunk, outcomes, retries);
    run.tally.add(outcomes);
  }
}

type Lookup = Pick<SyncTarget, 'lookup'>;

export interface SyncPlan
  extends Pick<SyncRun, 'survey' | 'rowsPerChunk' | 'rehire' | 'isProtected' | 'checkpoint' | 'onProgress'> {
  readonly target: Lookup;
  readonly missing: MissingUsers<Lookup> | undefined;
}

/**
 * What a run would do, chunk by chunk, as far as the users that it looks up tell. Nothing is sent, so that what only the
 * service can refuse, such as a username that another user has, counts as done.
 */
export async function* planSync(
  { target, missing, ...plan }: SyncPlan,
  rows: AsyncIterable<Row>,
  read: (row: Row) => FileRow,
): AsyncGenerator<readonly SyncOutcome[]> {
  const run: SyncRun = {
    ...plan,
    target: acceptingAll(target),
    missing: missing && { ...missing, target: acceptingAll(missing.target) },
    ...{ dryRun: true, canRetry: false, resumed: undefined },
    ...{ journal: { intend: () => {}, done: () => {} }, tally: new Tally() },
  };
  for await (const { outcomes } of applyFile(run, rows, read)) if (outcomes.length > 0) yield outcomes;
}

function acceptingAll(target: Lookup): SyncTarget {
  return {
    lookup: (employeeIDs) => target.lookup(employeeIDs),
    send: async (_key, { items }) => items.map(() => ({ ok: true, serial: null })),
  };
}
