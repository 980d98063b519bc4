import type { Comparison, Filter, FilterValue } from './filter.js';
import { instantOf } from './instant.js';
import { done, failed, type Outcome, quoted } from './outcome.js';
import {
  locate,
  pathOf,
  type ScimAttribute,
  type ScimSchema,
  type Steps,
  schemaOfValue,
  typeNouns,
} from './schema.js';

/** A filter whose attributes exist and whose operands are of their types: what an evaluator can rely on. */
export type BoundFilter =
  | {
      readonly kind: 'compare';
      readonly steps: Steps;
      readonly operator: Comparison;
      /** Of the type of the attribute, or null. A date-time has the form of `instantOf`. */
      readonly operand: FilterValue;
    }
  | { readonly kind: 'present'; readonly steps: Steps }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly BoundFilter[] }
  | { readonly kind: 'not'; readonly filter: BoundFilter }
  | { readonly kind: 'element'; readonly steps: Steps; readonly filter: BoundFilter };

export function bindFilter(filter: Filter, schema: ScimSchema): Outcome<BoundFilter> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return bindAll(filter.kind, filter.filters, schema);
    case 'not': {
      const inner = bindFilter(filter.filter, schema);
      return inner.ok ? done({ kind: 'not', filter: inner.value }) : inner;
    }
    case 'compare':
      return bindComparison(filter, schema);
    case 'present':
    case 'element': {
      const located = locate(filter.attribute, schema);
      if (!located.ok) return failed('invalidFilter', located.detail);
      const { steps } = located;
      if (filter.kind === 'present') return done({ kind: 'present', steps });
      const inner = bindFilter(filter.filter, schemaOfValue(lastOf(steps)));
      return inner.ok ? done({ kind: 'element', steps, filter: inner.value }) : inner;
    }
  }
}

function bindAll(kind: 'and' | 'or', all: readonly Filter[], schema: ScimSchema): Outcome<BoundFilter> {
  const filters: BoundFilter[] = [];
  for (const each of all) {
    const bound = bindFilter(each, schema);
    if (!bound.ok) return bound;
    filters.push(bound.value);
  }
  return done({ kind, filters });
}

function bindComparison(
  { attribute, operator, value }: Extract<Filter, { kind: 'compare' }>,
  schema: ScimSchema,
): Outcome<BoundFilter> {
  const located = locate(attribute, schema);
  if (!located.ok) return failed('invalidFilter', located.detail);
  const steps = comparedSteps(located.steps);
  const compared = lastOf(steps);
  const isEquality = operator === 'eq' || operator === 'ne';
  if (!operatorsOf(compared).includes(operator) || (value === null && !isEquality)) {
    return failed(
      'invalidFilter',
      `"${pathOf(steps)}" cannot be compared with ${operator} ${quoted(value)}.`,
    );
  }
  const operand = operandFor(compared, value);
  if (operand !== undefined) return done({ kind: 'compare', steps, operator, operand });
  return failed(
    'invalidFilter',
    `"${pathOf(steps)}" is ${typeNouns[compared.type]}, and ${quoted(value)} is not.`,
  );
}

/** `emails co "x"` compares the values of the emails, as in the examples of RFC 7644. */
export function comparedSteps(steps: Steps): Steps {
  const value = lastOf(steps).subAttributes?.find(({ name }) => name === 'value');
  return value ? [...steps, value] : steps;
}

export function lastOf(steps: Steps): ScimAttribute {
  return steps.at(-1) ?? steps[0];
}

const equality: readonly Comparison[] = ['eq', 'ne'];
const ordered: readonly Comparison[] = [...equality, 'gt', 'ge', 'lt', 'le'];
const textual: readonly Comparison[] = [...ordered, 'co', 'sw', 'ew'];

function operatorsOf({ type }: ScimAttribute): readonly Comparison[] {
  switch (type) {
    case 'complex':
      return [];
    case 'boolean':
      return equality;
    case 'decimal':
    case 'integer':
    case 'dateTime':
      return ordered;
    case 'binary':
      return [...equality, 'co', 'sw', 'ew'];
    default:
      return textual;
  }
}

/** Clients that leave out quotation marks, or add them, mean a value of the attribute's type. */
function operandFor({ type }: ScimAttribute, value: FilterValue): FilterValue | undefined {
  if (value === null) return null;
  const text = String(value);
  switch (type) {
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
    case 'decimal':
    case 'integer':
      return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
    case 'dateTime':
      return instantOf(text);
    default:
      return text;
  }
}
