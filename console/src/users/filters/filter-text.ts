import { formatDay } from '../../copy/format.js';
import { sessionCopy } from '../../copy/session.js';
import { usersCopy } from '../../copy/users.js';
import type { FilterNames } from './use-filter-names.js';
import type { RoleValue, UserFilter } from './user-filters.js';

const copy = usersCopy.filter;

/** More values than this are counted. */
const valuesShownMax = 3;

/** A filter in words, such as `Tag is not T1 or T2`. Serials without a name stay as they are. */
export function filterText(filter: UserFilter, names?: FilterNames): string {
  switch (filter.kind) {
    case 'organization':
    case 'tag':
      return copy.list(
        copy.kinds[filter.kind],
        filter.isNot,
        alternatives(filter.values.map((serial) => names?.[filter.kind].get(serial) ?? serial)),
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

function alternatives(values: readonly string[]): string {
  const isLong = values.length > valuesShownMax;
  const shown = isLong ? values.slice(0, valuesShownMax - 1) : values;
  return copy.or(isLong ? [...shown, copy.moreValues(values.length - shown.length)] : shown);
}

function dayText(day: string): string | undefined {
  return day === '' ? undefined : formatDay(day);
}
