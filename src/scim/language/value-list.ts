import type { BoundFilter } from './bound-filter.js';
import type { FilterValue } from './filter.js';
import { isObject, type JsonObject, own } from './json.js';
import { comparable } from './matches.js';
import { attributeNamed, type ScimAttribute } from './schema.js';

/** The values of a multi-valued attribute, and the positions of those that an operation has set. */
export interface ChangedValues {
  readonly values: readonly unknown[];
  readonly changed: ReadonlySet<number>;
}

/** Appends values. One that the list already has is merged into it, so that it can become the primary one. */
export function addValues(
  attribute: ScimAttribute,
  current: readonly unknown[],
  added: readonly unknown[],
): ChangedValues {
  const values = [...current];
  const changed = new Set<number>();
  const index = new ValueIndex(attribute, added); // they are fewer, as a rule
  const places = new Map<number, number>();
  for (const [at, each] of current.entries()) {
    const found = index.find(each);
    if (found !== undefined && !places.has(found)) places.set(found, at);
  }
  for (const [position, each] of added.entries()) {
    const first = index.find(each) ?? position;
    const at = places.get(first) ?? values.length;
    const existing = values[at];
    values[at] = isObject(existing) && isObject(each) ? { ...existing, ...each } : each;
    places.set(first, at);
    changed.add(at);
  }
  return { values, changed };
}

export function withoutValues(
  attribute: ScimAttribute,
  current: readonly unknown[],
  removed: readonly unknown[],
): readonly unknown[] {
  const index = new ValueIndex(attribute, removed);
  return current.filter((each) => index.find(each) === undefined);
}

/** At most one value is the primary one: the last that was set. */
export function withOnePrimary(
  { subAttributes = [] }: ScimAttribute,
  { values, changed }: ChangedValues,
): readonly unknown[] {
  const isPrimary = (each: unknown) => isObject(each) && own(each, 'primary') === true;
  const primary = [...changed].filter((at) => isPrimary(values[at])).at(-1);
  if (primary === undefined || !attributeNamed('primary', subAttributes)) return values;
  return values.map((each, at) =>
    at !== primary && isObject(each) && isPrimary(each) ? { ...each, primary: false } : each,
  );
}

/** The value that a filter describes, if it only says what is equal to what: `type eq "work"`. */
export function valueDescribedBy(filter: BoundFilter): JsonObject | undefined {
  if (filter.kind === 'and') {
    const parts = filter.filters.map(valueDescribedBy);
    return parts.every((each) => each !== undefined) ? Object.assign({}, ...parts) : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.steps.length > 1) return undefined;
  return filter.operand === null ? {} : { [filter.steps[0].name]: filter.operand };
}

/**
 * Finds a value in a list, in constant time: groups have many members. Two values are the same if their `value` and
 * `type` are (RFC 7643, section 2.4), or only their `value` if one of them has no type. Values without a `value`, such as
 * addresses, are the same if everything is, except which one is primary.
 */
class ValueIndex {
  readonly #attribute: ScimAttribute;
  readonly #value: ScimAttribute | undefined;
  readonly #type: ScimAttribute | undefined;
  readonly #contents: readonly ScimAttribute[];
  readonly #byKey = new Map<string, number>();
  readonly #byTypeAndKey = new Map<string, number>();

  constructor(attribute: ScimAttribute, values: readonly unknown[]) {
    this.#attribute = attribute;
    const subAttributes = attribute.subAttributes ?? [];
    this.#value = attributeNamed('value', subAttributes);
    this.#type = attributeNamed('type', subAttributes);
    this.#contents = subAttributes.filter(({ name }) => name !== 'primary');
    for (const [at, each] of values.entries()) {
      const { key, type } = this.#identity(each);
      if (!this.#byKey.has(key)) this.#byKey.set(key, at);
      if (!this.#byTypeAndKey.has(`${type} ${key}`)) this.#byTypeAndKey.set(`${type} ${key}`, at);
    }
  }

  /** The position of the first value that is the same. */
  find(value: unknown): number | undefined {
    const { key, type } = this.#identity(value);
    const first = this.#byKey.get(key);
    if (first === undefined || type === '') return first;
    const typed = this.#byTypeAndKey.get(`${type} ${key}`);
    const untyped = this.#byTypeAndKey.get(` ${key}`);
    return typed === undefined || untyped === undefined ? (typed ?? untyped) : Math.min(typed, untyped);
  }

  #identity(value: unknown): { readonly key: string; readonly type: FilterValue } {
    if (!isObject(value)) return { key: JSON.stringify(comparable(value, this.#attribute)), type: '' };
    const inner = comparableIn(value, this.#value);
    if (inner !== null) return { key: JSON.stringify(inner), type: comparableIn(value, this.#type) ?? '' };
    return { key: JSON.stringify(this.#contents.map((each) => comparableIn(value, each))), type: '' };
  }
}

function comparableIn(value: JsonObject, attribute: ScimAttribute | undefined): FilterValue {
  return attribute ? comparable(own(value, attribute.name), attribute) : null;
}
