import { type BoundFilter, lastOf } from './bound-filter.js';
import type { Comparison, FilterValue } from './filter.js';
import { instantOf } from './instant.js';
import { isEmpty, isObject, type JsonObject, own } from './json.js';
import type { ScimAttribute, Steps } from './schema.js';

/**
 * Whether a resource matches, or one value of an attribute. A comparison is true if it is for any value of the
 * attribute. An attribute without a value is compared as null: it differs from everything else.
 */
export function matches(filter: BoundFilter, resource: JsonObject): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => matches(each, resource));
    case 'or':
      return filter.filters.some((each) => matches(each, resource));
    case 'not':
      return !matches(filter.filter, resource);
    case 'present':
      return valuesAt(filter.steps, resource).some((each) => each !== '');
    case 'element':
      return valuesAt(filter.steps, resource).some((each) => matchesValue(filter.filter, each));
    case 'compare': {
      const attribute = lastOf(filter.steps);
      const comparableIn = (value: unknown) => comparable(value, attribute, filter.operator);
      const operand = comparableIn(filter.operand);
      const values = valuesAt(filter.steps, resource).map(comparableIn);
      const compared = values.length === 0 ? [null] : values;
      return compared.some((each) => compare(each, filter.operator, operand));
    }
  }
}

/** The same for a value that may not be complex. Such a value is its own `value`. */
export function matchesValue(filter: BoundFilter, value: unknown): boolean {
  return matches(filter, isObject(value) ? value : { value });
}

/** All values of an attribute that are not empty. A loop, because lists of members are filtered with it. */
function valuesAt(steps: Steps, resource: JsonObject): readonly unknown[] {
  let values: unknown[] = [resource];
  for (const { name } of steps) {
    const found: unknown[] = [];
    for (const each of values) {
      const inner = isObject(each) ? own(each, name) : undefined;
      if (!Array.isArray(inner)) found.push(inner);
      else for (const value of inner) found.push(value);
    }
    values = found.filter((each) => !isEmpty(each));
  }
  return values;
}

/** What decides whether values are the same, and which is greater. */
export function comparable(
  value: unknown,
  attribute: ScimAttribute,
  operator: Comparison = 'eq',
): FilterValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  if (attribute.type === 'dateTime') return instantOf(value) ?? null;
  if (attribute.fold && (operator === 'eq' || operator === 'ne')) return attribute.fold(value);
  return isCaseExact(attribute) ? value : value.toLowerCase();
}

export function isCaseExact({ type, caseExact }: ScimAttribute): boolean {
  return caseExact ?? (type === 'binary' || type === 'reference');
}

function compare(value: FilterValue, operator: Comparison, operand: FilterValue): boolean {
  if (operator === 'eq') return value === operand;
  if (operator === 'ne') return value !== operand;
  if (value === null || operand === null) return false;
  switch (operator) {
    case 'gt':
      return order(value, operand) > 0;
    case 'ge':
      return order(value, operand) >= 0;
    case 'lt':
      return order(value, operand) < 0;
    case 'le':
      return order(value, operand) <= 0;
    case 'co':
      return String(value).includes(String(operand));
    case 'sw':
      return String(value).startsWith(String(operand));
    case 'ew':
      return String(value).endsWith(String(operand));
  }
}

/** Texts are in the order of their code points, as in the database. */
function order(one: string | number | boolean, other: string | number | boolean): number {
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return one === other ? 0 : one > other ? 1 : -1;
}
