import { attributeField } from '@rollcall/sheets';
import { attributeName, attributeOf, formatAttribute } from '../../components/attribute-value.js';
import { attributesCopy, commonCopy, sessionCopy, usersCopy } from '../../copy/copy.js';
import { formatDay, formatDecimal } from '../../copy/format.js';
import type { FilterNames } from './use-filter-names.js';
import type { AttributeFilter, RoleValue, UserFilter } from './user-filters.js';

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
    case 'manager':
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
    case 'attribute':
      return attributeText(filter, names?.attributes ?? [], alternatives);
    default:
      return copy.choices[filter.value];
  }
}

function attributeText(
  filter: AttributeFilter,
  attributes: FilterNames['attributes'],
  alternatives: (values: readonly string[]) => string,
): string {
  const field = attributeField(filter.key);
  const [name, type] = [attributeName(field, attributes), attributeOf(field, attributes)?.type];
  const { isSetText, isNotSetText, rangeText } = attributesCopy.filter;
  if ('isSet' in filter) return (filter.isSet ? isSetText : isNotSetText)(name);
  if ('values' in filter) {
    const answers: Readonly<Record<string, string>> = { true: commonCopy.yes, false: commonCopy.no };
    const texts = filter.values.map((value) => (type === 'boolean' ? answers[value] : undefined) ?? value);
    return copy.list(name, false, alternatives(texts));
  }
  const endText = (end: string) => {
    if (end === '') return undefined;
    const number = type === 'number' ? Number(end) : Number.NaN;
    return Number.isNaN(number) ? formatAttribute(type, end) : formatDecimal(number);
  };
  return rangeText(name, endText(filter.from), endText(filter.until));
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
