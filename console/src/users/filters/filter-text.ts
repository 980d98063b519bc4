import { sessionCopy, usersCopy } from '../../copy/copy.js';
import { formatDay } from '../../copy/format.js';
import type { FilterNames } from './use-filter-names.js';
import type { RoleValue, UserFilter } from './user-filters.js';

const copy = usersCopy.filter;

/** Enough to recognize a filter. */
const valuesShownMax = 3;

interface TextOptions {
  /** Serials without a name stay as they are. */
  readonly names?: FilterNames;
  /** More values than this are counted. */
  readonly valuesMax?: number;
}

/** A filter in words, such as `Tag is not T1 or T2`. */
export function filterText(
  filter: UserFilter,
  { names, valuesMax = valuesShownMax }: TextOptions = {},
): string {
  const alternatives = (values: readonly string[]) => copy.or(shorten(values, valuesMax));
  switch (filter.kind) {
    case 'organization':
    case 'tag':
      if ('isNone' in filter) return copy.none[filter.kind];
      return copy.list(
        copy.kinds[filter.kind],
        filter.isNot,
        alternatives(filter.values.map((serial) => names?.[filter.kind].get(serial) ?? serial)),
        filter.includesParts,
      );
    case 'role':
      return copy.list(copy.kinds.role, filter.isNot, alternatives(filter.values.map(roleName)));
    case 'created':
    case 'updated':
      return copy.days(copy.kinds[filter.kind], dayText(filter.from), dayText(filter.until));
    default:
      return copy.choices[filter.value];
  }
}

export function roleName(role: RoleValue): string {
  return sessionCopy.role(role === 'none' ? null : role);
}

function shorten(values: readonly string[], max: number): readonly string[] {
  if (values.length <= max) return values;
  const shown = values.slice(0, max - 1);
  return [...shown, copy.moreValues(values.length - shown.length)];
}

function dayText(day: string): string | undefined {
  return day === '' ? undefined : formatDay(day);
}
