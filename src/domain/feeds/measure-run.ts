import { attributeIn, type SyncItem, type SyncOutcome } from '#sheets';
import type { Executor } from '../../storage/database.js';
import { feedsOf, recentValues } from '../../storage/feeds/feed-users.js';
import { skippedCodes } from './feed-target.js';
import type { RunProfile } from './limits/run-profile.js';
import { RowSet } from './row-set.js';

/** Changes that an older file would take back are at most this old. */
const revertedDays = 45;

/** Where more users of a chunk change, these stand for all: an older file takes something back from every one. */
const sampledMax = 200;

/** Measures what a run would do, while a plan of it goes through the rows. */
export class RunMeasure {
  readonly kinds = { created: 0, rehired: 0, updated: 0, renamed: 0, deactivated: 0, reactivated: 0 };
  failed = 0;
  /** Left alone as the rules of the feed want it, which is no failure. */
  skipped = 0;
  unchanged = 0;
  missing = 0;
  reverted = 0;
  /** Users who would come to the feed. */
  taken = 0;
  readonly changed = new Map<string, number>();
  readonly emptied = new Map<string, number>();
  readonly #settled = new RowSet();
  readonly #executor: Executor;
  readonly #feed: string;
  readonly #sensitive: ReadonlySet<string>;

  constructor(executor: Executor, feed: string, sensitive: ReadonlySet<string>) {
    this.#executor = executor;
    this.#feed = feed;
    this.#sensitive = sensitive;
  }

  async outcomes(outcomes: readonly SyncOutcome[]): Promise<void> {
    const serials: string[] = [];
    for (const { row, kind, changed = [], serial, problem } of outcomes) {
      if (problem && skippedCodes.has(problem.code)) {
        this.skipped++;
        continue;
      }
      if (kind in this.kinds) this.kinds[kind as keyof RunMeasure['kinds']]++;
      else if (kind === 'unchanged') this.unchanged++;
      else if (kind === 'failed') this.failed++;
      if (row === null) this.missing++;
      else if (serial !== undefined && kind !== 'failed') serials.push(serial);
      // A user who is missing from the file says nothing about its columns.
      if (row !== null && kind !== 'failed' && kind !== 'rehired')
        for (const field of changed) add(this.changed, shownField(field, this.#sensitive));
    }
    const feeds = await feedsOf(this.#executor, serials);
    this.taken += serials.length - feeds.size;
    for (const { row, kind, serial, kept } of outcomes) {
      const isOwn = serial !== undefined && feeds.get(serial) === this.#feed;
      if (row !== null && kind === 'unchanged' && kept === undefined && isOwn) this.#settled.add(row);
    }
  }

  /**
   * The row of a user who belongs to the feed already and stays as they are. A rename can change whom the manager of another
   * row means, so that all rows are looked at again.
   */
  isSettled(row: number): boolean {
    return this.kinds.renamed === 0 && this.#settled.has(row);
  }

  /** Of users who exist. */
  async items(items: readonly SyncItem[], isForNewUsers: boolean): Promise<void> {
    if (isForNewUsers) return;
    for (const item of items)
      for (const field of emptiedFields(item)) add(this.emptied, shownField(field, this.#sensitive));
    // Who leaves again after an undo does not get an old value back.
    const staying = items.filter(({ isActive }) => isActive !== false);
    const sample = sampleOf(staying);
    const earlier = await recentValues(
      this.#executor,
      sample.map(({ employeeID }) => employeeID),
      revertedDays,
    );
    const reverted = sample.filter((item) =>
      earlier.get(item.employeeID)?.some((fields) => takesBack(item, fields)),
    );
    if (sample.length > 0) this.reverted += Math.round((reverted.length * staying.length) / sample.length);
  }

  get changes(): number {
    return Object.values(this.kinds).reduce((sum, count) => sum + count, 0);
  }

  profile(
    beside: Pick<RunProfile, 'rows' | 'users' | 'planned' | 'withdrawn' | 'columns' | 'fileSeenBefore'>,
  ): RunProfile {
    const { kinds, failed, unchanged, missing, reverted, changed, emptied } = this;
    return {
      ...{ ...beside, ...kinds, failed, unchanged, missing, reverted },
      changed: Object.fromEntries(changed),
      emptied: Object.fromEntries(emptied),
    };
  }
}

/** Counts are for everyone who may read users, so sensitive attributes are counted without their names. */
export function shownField(field: string, sensitive: ReadonlySet<string>): string {
  return sensitive.has(field) ? 'attributes' : field;
}

/** Spread over all items. */
function sampleOf<T>(items: readonly T[]): readonly T[] {
  const step = Math.ceil(items.length / sampledMax);
  return items.filter((_, at) => at % step === 0);
}

function add(counts: Map<string, number>, field: string): void {
  counts.set(field, (counts.get(field) ?? 0) + 1);
}

export function emptiedFields({ attributes = {}, ...fields }: SyncItem): string[] {
  const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);
  return [
    ...Object.entries(fields).flatMap(([field, value]) => (isEmpty(value) ? [field] : [])),
    ...Object.entries(attributes).flatMap(([key, value]) => (isEmpty(value) ? [`attributes.${key}`] : [])),
  ];
}

/** Whether an item brings back a value from before a change. Attributes are logged by ID, so they are left out. */
function takesBack(item: SyncItem, before: Readonly<Record<string, unknown>>): boolean {
  const sent: Readonly<Record<string, unknown>> = { ...item, employeeID: item.newEmployeeID };
  return Object.keys(before).some((field) => {
    const value = attributeIn(sent, field);
    return (
      value !== undefined && JSON.stringify(value === '' ? null : value) === JSON.stringify(before[field])
    );
  });
}
