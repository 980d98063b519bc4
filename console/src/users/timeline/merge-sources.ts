import type { TimelineEntry } from './timeline-entry.js';

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
