import type { Schemas } from '@rollcall/client';
import { type Scope, seesHistory } from '../../session/scopes.js';
import type { Change } from '../data/user-queries.js';

export type AccessEvent = Schemas['AccessEvent'];
export type Message = Schemas['Delivery'];

/** Something that happened to a user. */
export type TimelineEntry =
  | { readonly kind: 'change'; readonly at: string; readonly key: string; readonly change: Change }
  | { readonly kind: 'access'; readonly at: string; readonly key: string; readonly event: AccessEvent }
  | { readonly kind: 'message'; readonly at: string; readonly key: string; readonly message: Message };

export function entryOfChange(change: Change): TimelineEntry {
  return { kind: 'change', at: change.at, key: `change ${change.sequence}`, change };
}

export function entryOfEvent(event: AccessEvent): TimelineEntry {
  return { kind: 'access', at: event.at, key: event.id, event };
}

export function entryOfMessage(message: Message): TimelineEntry {
  return { kind: 'message', at: message.createdAt, key: message.id, message };
}

type ChangeTitle =
  | Exclude<Change['kind'], 'updated'>
  | 'updated'
  | 'renamed'
  | 'deactivated'
  | 'reactivated'
  | 'role';

/** What a change is called. Deactivating a user also removes the role. */
export function titleOfChange({ kind, fields }: Change): ChangeTitle {
  if (kind !== 'updated') return kind;
  const changed = Object.keys(fields).filter((field) => field !== 'role' || fields.isActive === undefined);
  const [only, ...others] = changed;
  if (others.length > 0) return 'updated';
  if (only === 'employeeID') return 'renamed';
  if (only === 'role') return 'role';
  if (only === 'isActive') return fields.isActive?.after === true ? 'reactivated' : 'deactivated';
  return 'updated';
}

export type TimelineFilter = 'all' | 'changes' | 'roles' | 'messages' | 'access';
type SourceName = 'changes' | 'access' | 'messages';

/** As the API decides. */
const maySee: Readonly<Record<SourceName, (scopes: readonly Scope[]) => boolean>> = {
  changes: seesHistory,
  access: (scopes) => scopes.includes('audit:read'),
  messages: (scopes) => scopes.includes('access:admin'),
};

const sourcesOf: Readonly<Record<TimelineFilter, readonly SourceName[]>> = {
  all: ['changes', 'access', 'messages'],
  changes: ['changes'],
  roles: ['changes'],
  messages: ['messages'],
  access: ['access'],
};

/** Where the entries come from, as far as the user may see them. */
export function sourcesFor(filter: TimelineFilter, scopes: readonly Scope[]): SourceName[] {
  return sourcesOf[filter].filter((source) => maySee[source](scopes));
}

/** The filters that can show something. */
export function filtersFor(scopes: readonly Scope[]): TimelineFilter[] {
  const filters = Object.keys(sourcesOf) as TimelineFilter[];
  return filters.filter((filter) => sourcesFor(filter, scopes).length > 0);
}

export function isShown(entry: TimelineEntry, filter: TimelineFilter): boolean {
  if (entry.kind !== 'change') return true;
  if (filter === 'roles') return entry.change.fields.role !== undefined;
  return filter !== 'changes' || titleOfChange(entry.change) !== 'role';
}

interface Day {
  /** The start of the day in the time zone of the browser, in milliseconds. */
  readonly start: number;
  readonly entries: readonly TimelineEntry[];
}

/** Keeps the order of the entries. */
export function groupByDay(entries: readonly TimelineEntry[]): Day[] {
  const days = new Map<number, TimelineEntry[]>();
  for (const entry of entries) {
    const start = new Date(entry.at).setHours(0, 0, 0, 0);
    const day = days.get(start);
    if (day) day.push(entry);
    else days.set(start, [entry]);
  }
  return [...days].map(([start, inside]) => ({ start, entries: inside }));
}

/** How many days ago a day was. Days are not always 24 hours long. */
export function daysAgo(start: number, now: Date): number {
  const today = new Date(now).setHours(0, 0, 0, 0);
  return Math.round((today - start) / (24 * 60 * 60_000));
}

/** A part of the timeline, newest first, as far as it has been loaded. */
export interface Source {
  readonly entries: readonly TimelineEntry[];
  readonly hasMore: boolean;
}

/**
 * All entries, newest first. Leaves out those that are older than the end of a source that continues, because entries
 * between them are still missing.
 */
export function mergeSources(sources: readonly Source[]): TimelineEntry[] {
  const end = loadedUntil(sources);
  return withoutDuplicates(sources.flatMap(({ entries }) => entries))
    .filter(({ at }) => at >= end)
    .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}

/** The sources to continue with, so that the timeline gets longer. */
export function isHoldingBack(source: Source, sources: readonly Source[]): boolean {
  return source.hasMore && lastOf(source) === loadedUntil(sources);
}

/** The oldest time for which everything is loaded. */
function loadedUntil(sources: readonly Source[]): string {
  const ends = sources.filter(({ hasMore }) => hasMore).map(lastOf);
  return ends.reduce((latest, end) => (end > latest ? end : latest), '');
}

function lastOf({ entries }: Source): string {
  return entries.at(-1)?.at ?? '';
}

/** Access events that the same request has also written to the change log. */
const alsoLogged = new Set(['role.changed', 'user.erased']);

function withoutDuplicates(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const requests = new Set(
    entries.map((entry) =>
      entry.kind === 'change' && isAboutAccess(entry.change) ? entry.change.requestId : null,
    ),
  );
  return entries.filter(
    (entry) =>
      entry.kind !== 'access' ||
      entry.event.requestId === null ||
      !alsoLogged.has(entry.event.kind) ||
      !requests.has(entry.event.requestId),
  );
}

function isAboutAccess({ kind, fields }: { kind: string; fields: { role?: unknown } }): boolean {
  return kind === 'erased' || fields.role !== undefined;
}
