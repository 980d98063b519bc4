import type { Row } from '../row.js';
import { applyFile } from './apply-file.js';
import type { FileRow } from './rows.js';
import type { SyncRun } from './sync-run.js';

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
