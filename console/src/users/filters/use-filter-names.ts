import { type DisplayNames, useDisplayNames } from '../../components/directory.js';
import type { SerialsFilter, UserFilter } from './user-filters.js';

export type FilterNames = Readonly<Record<SerialsFilter['kind'], DisplayNames>>;

/** The names of the organizations and tags in the filters. */
export function useFilterNames(filters: readonly UserFilter[]): FilterNames {
  return {
    organization: useDisplayNames('organizations', serialsIn(filters, 'organization')),
    tag: useDisplayNames('tags', serialsIn(filters, 'tag')),
  };
}

function serialsIn(filters: readonly UserFilter[], kind: SerialsFilter['kind']): string[] {
  return filters.flatMap((filter) => (filter.kind === kind && 'values' in filter ? filter.values : []));
}
