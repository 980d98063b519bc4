import type { Attribute } from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { type DisplayNames, useDisplayNames } from '../../components/directory.js';
import type { SerialsFilter, UserFilter } from './user-filters.js';

export type FilterNames = Readonly<Record<SerialsFilter['kind'], DisplayNames>> & {
  readonly attributes: readonly Attribute[];
};

/** The names of the organizations, tags, managers and attributes in the filters. */
export function useFilterNames(filters: readonly UserFilter[]): FilterNames {
  return {
    attributes: useAttributes(),
    organization: useDisplayNames('organizations', serialsIn(filters, 'organization')),
    tag: useDisplayNames('tags', serialsIn(filters, 'tag')),
    manager: useDisplayNames('users', serialsIn(filters, 'manager')),
  };
}

function serialsIn(filters: readonly UserFilter[], kind: SerialsFilter['kind']): string[] {
  return filters.flatMap((filter) => (filter.kind === kind && 'values' in filter ? filter.values : []));
}
