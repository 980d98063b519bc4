import { setTimeout as pause } from 'node:timers/promises';
import type { EventType } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type FeedRow, lastChangeNumber, prunedTo, readFeed } from '../../storage/changes/change-feed.js';
import { databaseOutage } from '../../storage/errors.js';
import type { Context } from '../context.js';
import { type Event, eventOf } from './event.js';

export interface EventPage {
  readonly events: readonly Event[];
  /** Everything up to this number was examined. */
  readonly position: number;
}

/** Rows read at a time: every reader has a page in memory, and building its events blocks all others. */
const rowsAtOnce = 200;
const pagesShared = 64;
const sharedForMs = 1_000;

/**
 * Reads the change log in pages. Readers at the same position, as those who start at the beginning, share the rows, and
 * those of the same types also the events.
 */
export class EventPages {
  readonly #context: Pick<Context, 'database'>;
  readonly #rows = new Map<string, Promise<FeedRow[]>>();
  readonly #events = new WeakMap<FeedRow[], Map<string, readonly Event[]>>();

  constructor(context: Pick<Context, 'database'>) {
    this.#context = context;
  }

  async read(after: number, upTo: number, wanted: ReadonlySet<EventType>): Promise<EventPage> {
    const rows = await this.#readRows(after, upTo);
    // Fewer rows than requested: numbers up to there without a row were rolled back.
    const position = rows.length < rowsAtOnce ? upTo : (rows.at(-1)?.sequence ?? upTo);
    return { events: this.#eventsIn(rows, wanted), position };
  }

  #readRows(after: number, upTo: number): Promise<FeedRow[]> {
    const key = `${after}-${upTo}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const rows = readFeed(this.#context.database.pool, { after, upTo, limit: rowsAtOnce });
    const [oldest] = this.#rows.keys();
    if (oldest !== undefined && this.#rows.size >= pagesShared) this.#rows.delete(oldest);
    this.#rows.set(key, rows);
    const forget = () => this.#rows.get(key) === rows && this.#rows.delete(key);
    rows.then(() => setTimeout(forget, sharedForMs).unref(), forget);
    return rows;
  }

  #eventsIn(rows: FeedRow[], wanted: ReadonlySet<EventType>): readonly Event[] {
    const byTypes = this.#events.get(rows) ?? new Map<string, readonly Event[]>();
    this.#events.set(rows, byTypes);
    const types = [...wanted].join();
    const known = byTypes.get(types);
    if (known) return known;
    const events = rows.flatMap((row) => eventOf(row, wanted) ?? []);
    byTypes.set(types, events);
    return events;
  }
}

const retryDelayMs = 1_000;

/** Where a reader starts: after the given number, or with what happens from now on. */
export async function startOfEvents(
  { database, changes }: Context,
  after: number | undefined,
): Promise<number | Failure> {
  if (after === undefined) return changes.settleNow();
  const kept = await prunedTo(database.pool);
  if (after < kept) {
    return failure(
      'EVENTS_PRUNED',
      `Events up to ${kept} are no longer available. To start with the oldest available event, send "Last-Event-ID: ${kept}" and read all users again.`,
      { prunedTo: kept },
    );
  }
  const last = await lastChangeNumber(database.pool);
  if (after <= last) return after;
  return failure(
    'REQUEST_PARAMETER_INVALID',
    `Event ${after} does not exist; the latest is ${last}. If the database was restored, omit "Last-Event-ID" and read all users again.`,
    { parameter: 'Last-Event-ID' },
  );
}

/** Yields the events after a number, in order, until aborted; an empty page if nothing happens. */
export async function* followEvents(
  { changes }: Context,
  pages: EventPages,
  start: number,
  wanted: ReadonlySet<EventType>,
  { signal, idleMs }: { readonly signal: AbortSignal; readonly idleMs: number },
): AsyncGenerator<EventPage> {
  let position = start;
  while (!signal.aborted) {
    await changes.waitForNewer(position, idleMs, signal);
    const upTo = changes.settled;
    const page = upTo > position ? await readPage(position, upTo) : { events: [], position };
    position = page.position;
    yield page;
  }

  async function readPage(after: number, upTo: number): Promise<EventPage> {
    try {
      return await pages.read(after, upTo, wanted);
    } catch (error) {
      if (databaseOutage(error) === undefined) throw error;
      await pause(retryDelayMs, undefined, { signal }).catch(() => {});
      return { events: [], position: after };
    }
  }
}
