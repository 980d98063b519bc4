import type { Schemas } from '@rollcall/client';
import { type EntryNames, serialsIn } from './calls.js';
import { useDisplayNames } from './directory.js';

type Call = Pick<Schemas['Call'], 'kind' | 'replaces' | 'undone'>;

/** The organizations and tags that some calls were about, for their titles. */
export function useEntryNames(calls: readonly Call[]): EntryNames {
  const names = {
    organizations: useDisplayNames('organizations', serialsIn(calls, 'organizations')),
    tags: useDisplayNames('tags', serialsIn(calls, 'tags')),
  };
  return (directory, serial) => names[directory].get(serial);
}
