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
const pagesShared = 8;
const sharedForMs = 1_000;

/** Reads the change log in pages. Readers at the same position, as those who start at the beginning, share them. */
export class EventPages {
  readonly #context: Pick<Context, 'database'>;
  readonly #pages = new Map<string, Promise<FeedRow[]>>();

  constructor(context: Pick<Context, 'database'>) {
    this.#context = context;
  }

  read(after: number, upTo: number): Promise<FeedRow[]> {
    const key = `${after}-${upTo}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const page = readFeed(this.#context.database.pool, { after, upTo, limit: rowsAtOnce });
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size >= pagesShared) this.#pages.delete(oldest);
    this.#pages.set(key, page);
    const forget = () => this.#pages.get(key) === page && this.#pages.delete(key);
    page.then(() => setTimeout(forget, sharedForMs).unref(), forget);
    return page;
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
      const rows = await pages.read(after, upTo);
      const events = rows.flatMap((row) => eventOf(row, wanted) ?? []);
      // Fewer rows than requested: numbers up to there without a row were rolled back.
      const end = rows.length < rowsAtOnce ? upTo : (rows.at(-1)?.sequence ?? upTo);
      return { events, position: end };
    } catch (error) {
      if (databaseOutage(error) === undefined) throw error;
      await pause(retryDelayMs, undefined, { signal }).catch(() => {});
      return { events: [], position: after };
    }
  }
}
