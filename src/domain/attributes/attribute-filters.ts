import { isDate, isExactNumber } from '../../contract/attribute-rules.js';
import type { Attribute } from '../../contract/attributes.js';
import { lineField } from '../../contract/fields.js';
import { fieldLimits, filterValuesMax } from '../../contract/limits.js';
import type { AttributeFilter, AttributeKey } from '../../storage/users/attribute-conditions.js';
import type { AttributeSet } from './attribute-set.js';

export type { AttributeFilter, AttributeKey };

/** The names of filters and orders by an attribute begin with it. */
export const attributePrefix = 'attributes.';

/** A name with what is wrong with it or its values: "must be a number." */
export interface FilterProblem {
  readonly name: string;
  readonly problem: string;
}

const suffixes = ['from', 'to', 'isSet'] as const;
type Suffix = (typeof suffixes)[number];

/** Reads filters by their names, such as attributes.level.from, with the texts that were sent for each. */
export function readAttributeFilters(
  given: Readonly<Record<string, readonly string[]>>,
  set: AttributeSet,
  maySeeSensitive: boolean,
): readonly AttributeFilter[] | FilterProblem {
  const filters: AttributeFilter[] = [];
  for (const [name, values] of Object.entries(given)) {
    const [, key = '', suffix, ...rest] = name.split('.');
    const isKnown = suffix === undefined || (rest.length === 0 && isSuffix(suffix));
    if (!isKnown) {
      return { name, problem: `is unknown. After the key, a filter can end with ${suffixes.join(', ')}.` };
    }
    const attribute = set.filterable(key, maySeeSensitive);
    if (typeof attribute === 'string') return { name, problem: attribute };
    const filter = readFilter(attribute, suffix as Suffix | undefined, values);
    if (typeof filter === 'string') return { name, problem: filter };
    filters.push(filter);
  }
  return withWholeRanges(filters);
}

/** Both ends of a range are one filter: many users satisfy each of them, and often few satisfy both. */
function withWholeRanges(filters: readonly AttributeFilter[]): AttributeFilter[] {
  const isRange = ({ from, to }: AttributeFilter) => from !== undefined || to !== undefined;
  const ranges = new Map<number, AttributeFilter>();
  for (const range of filters.filter(isRange)) {
    ranges.set(range.attributeId, { ...ranges.get(range.attributeId), ...range });
  }
  return [...filters.filter((filter) => !isRange(filter)), ...ranges.values()];
}

function isSuffix(text: string): text is Suffix {
  return suffixes.some((suffix) => suffix === text);
}

/** The attribute to sort by, or what is wrong with it. */
export function readAttributeSort(
  name: string,
  set: AttributeSet,
  maySeeSensitive: boolean,
): AttributeKey | string {
  const attribute = set.filterable(name.slice(attributePrefix.length), maySeeSensitive);
  if (typeof attribute === 'string') return attribute;
  return attribute.type === 'list' ? 'is a list. Sort by an attribute with one value.' : keyOf(attribute);
}

function keyOf({ id, type }: Attribute): AttributeKey {
  return { attributeId: id, type };
}

function readFilter(
  attribute: Attribute,
  suffix: Suffix | undefined,
  values: readonly string[],
): AttributeFilter | string {
  if (suffix !== undefined && values.length > 1) return 'appears more than once. Send it once.';
  if (values.length > filterValuesMax) return `has more than ${filterValuesMax} values.`;
  const key = keyOf(attribute);
  const [first = ''] = values;
  if (suffix === 'isSet') {
    return isFlag(first) ? { ...key, isSet: first === 'true' } : 'must be one of true, false.';
  }
  if (suffix !== undefined && key.type !== 'number' && key.type !== 'date') {
    return `is for numbers and dates. The attribute is a ${key.type}.`;
  }
  const read = values.map((value) => storedForm(attribute, value));
  if (read.includes(undefined)) return `must be ${expected[key.type]}.`;
  const texts = read.filter((text) => text !== undefined);
  return suffix === undefined ? { ...key, values: texts } : { ...key, [suffix]: texts[0] };
}

const aText = 'a text that is not blank. To find users without a value, use .isSet';

const expected: Readonly<Record<Attribute['type'], string>> = {
  ...{ text: aText, choice: aText, list: aText },
  number: 'a number such as 12.5',
  date: 'a date such as 2026-12-31',
  boolean: 'one of true, false',
};

const line = lineField({ example: '', maxLength: fieldLimits.searchMaxLength });

/** The text of a value as it is stored; undefined if it can't be a value of the attribute. */
function storedForm({ type }: Attribute, text: string): string | undefined {
  switch (type) {
    case 'number': {
      const isNumber = /^-?\d+(\.\d+)?$/.test(text) && isExactNumber(Number(text));
      return isNumber ? String(Number(text) || 0) : undefined;
    }
    case 'date':
      return isDate(text) ? text : undefined;
    case 'boolean':
      return isFlag(text) ? text : undefined;
    default: {
      const normal = line.normalize(text);
      return typeof normal === 'string' ? normal : undefined;
    }
  }
}

function isFlag(text: string): boolean {
  return text === 'true' || text === 'false';
}
