import { setTimeout as pause } from 'node:timers/promises';
import type { FieldChanges } from '../../contract/changes.js';
import { type EventType, eventTypes } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type FeedRow, lastChangeNumber, prunedTo, readFeed } from '../../storage/changes/change-feed.js';
import type { Database } from '../../storage/database.js';
import { databaseOutage } from '../../storage/errors.js';
import { showingTo } from '../attributes/show-users.js';
import type { ChangeContext, ChangeFollower } from '../changes/follower.js';

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
  readonly #database: Database;
  readonly #rows = new Map<string, Promise<FeedRow[]>>();
  readonly #events = new WeakMap<FeedRow[], Map<string, readonly Event[]>>();

  constructor(database: Database) {
    this.#database = database;
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
    const rows = readShown(this.#database, { after, upTo, limit: rowsAtOnce });
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

/** The rows that events are made of. Readers share them, so nobody finds sensitive attributes in them. */
export async function readShown(
  { pool }: Database,
  page: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<FeedRow[]> {
  const rows = await readFeed(pool, page);
  const isShownOtherwise = ({ fields }: FeedRow) => /"(?:attributes|scim)"/.test(fields);
  if (!rows.some(isShownOtherwise)) return rows;
  const showing = await showingTo(pool, undefined);
  return rows.map((row) => ({ ...row, fields: JSON.stringify(showing.fields(JSON.parse(row.fields))) }));
}

const retryDelayMs = 1_000;

/** Where a reader starts: after the given number, or with what happens from now on. */
export async function startOfEvents(
  { database, changes }: ChangeContext,
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
  changes: ChangeFollower,
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

export interface Event {
  readonly sequence: number;
  /** The most specific of its types among those requested. */
  readonly type: EventType;
  readonly timestamp: string;
  /** As JSON on one line. */
  readonly json: string;
}

/** One change is one event. Undefined if none of its types was requested. */
export function eventOf(row: FeedRow, wanted: ReadonlySet<EventType>): Event | undefined {
  const types = typesOf(row);
  const type = types.find((each) => wanted.has(each));
  if (type === undefined) return undefined;
  const { sequence, at, actor, requestId } = row;
  const [subject, name] = subjectOf(row);
  const timestamp = at.toISOString();
  const head = JSON.stringify({ type, timestamp }).slice(0, -1);
  const data = JSON.stringify({ sequence, types, ...subject, actor, requestId }).slice(0, -1);
  // The log stores JSON, so it is inserted verbatim.
  const rest = `"${name}":${row.fields}`;
  return { sequence, type, timestamp, json: `${head},"data":${data},${rest}}}` };
}

/** What an event is about, and under which name it has what the log stores. */
function subjectOf({ kind, userSerial, employeeID, version, callId }: FeedRow): [object, string] {
  if (userSerial !== null) return [{ userSerial, employeeID, version, callId }, 'fields'];
  return kind.startsWith('feed.') ? [{}, 'run'] : [{ callId }, 'call'];
}

/** All types of a change, from most to least specific. */
function typesOf({ kind, fields }: FeedRow): EventType[] {
  if (kind === 'created') return ['user.created'];
  if (kind === 'deleted') return ['user.deleted'];
  if (kind === 'erased') return ['user.erased', 'user.deleted'];
  if (kind === 'call') return ['call.completed'];
  if (kind !== 'updated' && kind !== 'rehired') return [kind];
  const { employeeID, isActive } = JSON.parse(fields) as FieldChanges;
  return [
    ...(kind === 'rehired' ? (['user.rehired'] as const) : []),
    ...(employeeID ? (['user.renamed'] as const) : []),
    ...(isActive?.after === true ? (['user.reactivated'] as const) : []),
    ...(isActive?.after === false ? (['user.deactivated'] as const) : []), // null if the user was erased
    'user.updated',
  ];
}

export const allEventTypes: ReadonlySet<EventType> = new Set(eventTypes);
