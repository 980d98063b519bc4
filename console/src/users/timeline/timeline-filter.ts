import type { Scope } from '../../session/session.js';
import { type TimelineEntry, titleOfChange } from './timeline-entry.js';

export type TimelineFilter = 'all' | 'changes' | 'roles' | 'messages' | 'access';
export type SourceName = 'changes' | 'access' | 'messages';

/** The scope that the API requires for each source. */
const scopeOf: Readonly<Record<SourceName, Scope>> = {
  changes: 'audit:read',
  access: 'audit:read',
  messages: 'access:admin',
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
  return sourcesOf[filter].filter((source) => scopes.includes(scopeOf[source]));
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
