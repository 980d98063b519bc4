import { type BoundFilter, bindFilter, lastOf } from './bound-filter.js';
import { done, failed, type Outcome } from './outcome.js';
import type { Path } from './path.js';
import { locate, pathOf, type ScimSchema, type Steps, schemaOfValue } from './schema.js';

/** What a path means in a schema. */
export interface Target {
  readonly steps: Steps;
  /** Selects values of the first multi-valued attribute among the steps. */
  readonly filter: BoundFilter | undefined;
}

export function targetOf({ attribute, filter, subAttribute }: Path, schema: ScimSchema): Outcome<Target> {
  const located = locate(attribute, schema);
  if (!located.ok) return failed('invalidPath', located.detail);
  const { steps } = located;
  if (!filter) return done({ steps, filter });
  const filtered = lastOf(steps);
  if (!filtered.multiValued) {
    return failed(
      'invalidPath',
      `"${pathOf(steps)}" has a single value, so nothing can be selected from it.`,
    );
  }
  const bound = bindFilter(filter, schemaOfValue(filtered));
  if (!bound.ok) return bound;
  if (subAttribute === undefined) return done({ steps, filter: bound.value });
  const sub = locate(subAttribute, { id: '', attributes: filtered.subAttributes ?? [] });
  if (!sub.ok) return failed('invalidPath', sub.detail);
  return done({ steps: [...steps, ...sub.steps], filter: bound.value });
}

/** The target as seen from a value of its first attribute. Undefined if that attribute is what is meant. */
export function innerTarget({ steps: [attribute, ...rest], filter }: Target): Target | undefined {
  const [next, ...others] = rest;
  return next && { steps: [next, ...others], filter: attribute.multiValued ? undefined : filter };
}
