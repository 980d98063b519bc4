import type { JournalEntry, OutcomeKind, ResumeState, SyncItem, SyncJournal, SyncOutcome } from '#sheets';
import { resumeStateOf } from '#sheets';
import { type FeedRowKind, feedRowKinds } from '../../contract/enums.js';
import type { FeedRunCounts } from '../../contract/feeds.js';
import type { Executor } from '../../storage/database.js';
import { erasedAmong, erasedIDsAmong, lockErasures } from '../../storage/erasure/erased-users.js';
import {
  type FeedRow,
  finishChunk,
  insertFeedRows,
  intendChunk,
  knownOutcomes,
  listChunks,
} from '../../storage/feeds/feed-rows.js';
import type { StoredCounts } from '../../storage/feeds/feed-runs.js';
import { feedsOf, releaseUsers, takeUsers } from '../../storage/feeds/feed-users.js';
import { skippedCodes } from './feed-target.js';
import { emptiedFields, shownField } from './measure-run.js';
import type { RunSession } from './run-session.js';

/** Users who are missing from a file have no row. Their places come after all rows. */
const firstMissingPlace = 1_000_000_000;

interface JournalOptions {
  /** Whether users of other feeds come to this one. */
  readonly takesOver: boolean;
  /** A run that only looks takes no users. */
  readonly isPreview: boolean;
  /** Fields whose names only some may see. */
  readonly sensitive: ReadonlySet<string>;
}

/** The progress of a run in the database: its report, and what another node needs to go on. */
export class RunJournal implements SyncJournal {
  counts: StoredCounts;
  #done: number;
  #missing: number;
  /** Fields of which values became empty, in calls whose chunk is not done yet. */
  #emptied: string[] = [];
  readonly #session: RunSession;
  readonly #executor: Executor;
  readonly #options: JournalOptions;

  constructor(session: RunSession, executor: Executor, options: JournalOptions) {
    const { counts, done } = session.run;
    this.#session = session;
    this.#executor = executor;
    this.#options = options;
    this.counts = counts;
    this.#done = done;
    this.#missing = counts.kinds.missing ?? 0;
  }

  async intend(
    chunk: string,
    intents: readonly (readonly [employeeID: string, kind: OutcomeKind])[],
  ): Promise<void> {
    this.#session.checkpoint();
    await intendChunk(this.#executor, this.#session.run.id, chunk, intents);
  }

  /** Items of users who exist. They count once their chunk is done. */
  wrote(items: readonly SyncItem[]): void {
    this.#emptied = [...this.#emptied, ...items.flatMap(emptiedFields)];
  }

  /** The report, the progress and to whom users belong change together. */
  async done(chunk: string, outcomes: readonly SyncOutcome[], retries: readonly number[]): Promise<void> {
    const { id, feed } = this.#session.run;
    const rows = outcomes.map((outcome) => this.#rowOf(outcome));
    const counts = added(this.counts, rows, this.#emptied, this.#options.sensitive);
    const done = this.#done + outcomes.filter(({ row }) => row !== null).length;
    await this.#session.write({ counts, done }, async (tx) => {
      const reported = rows.filter(({ kind, kept }) => kind !== 'unchanged' || kept !== null);
      if (reported.length > 0) await insertFeedRows(tx, id, await withoutErased(tx, reported));
      await finishChunk(tx, id, chunk, retries);
      if (!this.#options.isPreview) await this.#assignUsers(tx, feed, rows);
    });
    this.counts = counts;
    this.#done = done;
    this.#emptied = [];
  }

  /** What an interrupted node has left behind. */
  async resumeState(isAwaited: (row: number) => boolean): Promise<ResumeState> {
    return resumeStateOf(this.#entries(), isAwaited);
  }

  async *#entries(): AsyncGenerator<JournalEntry> {
    const { id } = this.#session.run;
    const chunks = await listChunks(this.#executor, id);
    for (const { chunk, isDone, intents, retries } of chunks) {
      if (isDone) yield { chunk, outcomes: [], retries };
      // As written by this class.
      else if (intents) yield { chunk, intends: intents as [string, OutcomeKind][] };
    }
    // Rows that wait for one that failed can't run, and a row that was retried already is not retried again.
    const rows = await knownOutcomes(
      this.#executor,
      id,
      chunks.flatMap(({ retries }) => retries),
    );
    const outcomes = rows.map(({ row, kind }): SyncOutcome => ({ row, employeeID: null, kind }));
    yield { chunk: 'earlier', outcomes, retries: [] };
  }

  #rowOf({ row, employeeID, kind, serial, changed, kept, problem }: SyncOutcome): FeedRow {
    return {
      place: row ?? firstMissingPlace + this.#missing++,
      isMissing: row === null,
      serial: serial ?? null,
      kind: problem && skippedCodes.has(problem.code) ? 'skipped' : kind,
      employeeID,
      code: problem?.code ?? null,
      detail: problem?.detail ?? null,
      changed: kind === 'failed' ? null : (changed ?? null),
      kept: kept ?? null,
    };
  }

  async #assignUsers(tx: Executor, feed: string, rows: readonly FeedRow[]): Promise<void> {
    const isIn = ({ kind, isMissing }: FeedRow) => !isMissing && kind !== 'failed' && kind !== 'skipped';
    const present = rows.flatMap((row) => (isIn(row) && row.serial ? row.serial : []));
    const known = await feedsOf(tx, present);
    const free = present.filter((serial) => !known.has(serial));
    const others = present.filter((serial) => known.has(serial) && known.get(serial) !== feed);
    await takeUsers(tx, feed, this.#options.takesOver ? [...free, ...others] : free);
    const gone = rows.flatMap(({ isMissing, kind, serial }) =>
      isMissing && kind === 'deactivated' && serial ? serial : [],
    );
    await releaseUsers(tx, feed, gone);
  }
}

/** Users who were erased since they were looked up are not named again. Rows that failed may lack a serial. */
async function withoutErased(tx: Executor, rows: readonly FeedRow[]): Promise<readonly FeedRow[]> {
  await lockErasures(tx, 'restore');
  const serials = rows.flatMap(({ serial }) => serial ?? []);
  const employeeIDs = rows.flatMap(({ serial, employeeID }) => (serial === null ? (employeeID ?? []) : []));
  const erased = new Set([
    ...(await erasedAmong(tx, serials)).keys(),
    ...(await erasedIDsAmong(tx, employeeIDs)),
  ]);
  return rows.map((row) =>
    erased.has(row.serial ?? row.employeeID ?? '') ? { ...row, employeeID: null, detail: null } : row,
  );
}

function added(
  { kinds, changed, emptied }: StoredCounts,
  rows: readonly FeedRow[],
  newlyEmptied: readonly string[],
  sensitive: ReadonlySet<string>,
): StoredCounts {
  const [sums, fields, empty] = [{ ...kinds }, { ...changed }, { ...emptied }];
  const add = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const row of rows) {
    add(sums, row.kind);
    if (row.isMissing) add(sums, 'missing');
    // As when the run was measured: whoever is missing or comes back says nothing about a column.
    const counts = !row.isMissing && row.kind !== 'rehired';
    for (const field of counts ? (row.changed ?? []) : []) add(fields, shownField(field, sensitive));
  }
  for (const field of newlyEmptied) add(empty, shownField(field, sensitive));
  return { kinds: sums, changed: fields, emptied: empty };
}

/** Of all kinds. */
export function countsOf({ kinds }: StoredCounts): FeedRunCounts {
  return Object.fromEntries(feedRowKinds.map((kind) => [kind, kinds[kind] ?? 0])) as Record<
    FeedRowKind,
    number
  >;
}
