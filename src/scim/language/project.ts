import { isEmpty, isObject, type JsonObject, own } from './json.js';
import { matchesValue } from './matches.js';
import type { Path } from './path.js';
import type { ScimAttribute, ScimSchema } from './schema.js';
import { innerTarget, type Target, targetOf } from './target.js';

/** The parameters of RFC 7644, section 3.9. */
export interface RequestedAttributes {
  readonly attributes: readonly Path[] | undefined;
  readonly excludedAttributes: readonly Path[] | undefined;
}

/**
 * The part of a resource that a response has. Paths that mean nothing in the schema select nothing. With a filter, as in
 * `emails[type eq "work"]`, they select the values that match.
 */
export function project(
  resource: JsonObject,
  requested: RequestedAttributes,
  schema: ScimSchema,
): JsonObject {
  return projection(requested, schema)(resource);
}

/** The same for any number of resources. What the paths mean is looked up once. */
export function projection(
  { attributes, excludedAttributes }: RequestedAttributes,
  schema: ScimSchema,
): (resource: JsonObject) => JsonObject {
  const included = targetsOf(attributes, schema);
  const excluded = targetsOf(excludedAttributes, schema);
  return (resource) =>
    projectObject(resource, schema.attributes, { byDefault: !attributes, included, excluded });
}

interface Choice {
  /** Whether attributes are included that nothing names. */
  readonly byDefault: boolean;
  readonly included: readonly Target[];
  readonly excluded: readonly Target[];
}

function targetsOf(paths: readonly Path[] | undefined, schema: ScimSchema): Target[] {
  return (paths ?? []).flatMap((path) => {
    const target = targetOf(path, schema);
    return target.ok ? [target.value] : [];
  });
}

function projectObject(object: JsonObject, attributes: readonly ScimAttribute[], choice: Choice): JsonObject {
  const projected: [string, unknown][] = [];
  for (const attribute of attributes) {
    const isWithin = ({ steps }: Target) => steps[0] === attribute;
    const value = projectAttribute(attribute, own(object, attribute.name), {
      byDefault: choice.byDefault,
      included: choice.included.filter(isWithin),
      excluded: choice.excluded.filter(isWithin),
    });
    if (!isEmpty(value)) projected.push([attribute.name, value]);
  }
  return Object.fromEntries(projected);
}

function projectAttribute(attribute: ScimAttribute, value: unknown, choice: Choice): unknown {
  const { returned = 'default' } = attribute;
  if (returned === 'never' || isEmpty(value)) return undefined;
  const isAlways = returned === 'always';
  const isDefault = choice.byDefault && returned === 'default';
  if (!isAlways && !isDefault && choice.included.length === 0) return undefined;
  const project = (each: unknown) => projectValue(attribute, each, choice, isAlways);
  return Array.isArray(value) ? value.map(project).filter((each) => !isEmpty(each)) : project(value);
}

function projectValue(attribute: ScimAttribute, value: unknown, choice: Choice, isAlways: boolean): unknown {
  const selects = ({ filter }: Target) => !filter || !attribute.multiValued || matchesValue(filter, value);
  const included = choice.included.filter(selects);
  const excluded = choice.excluded.filter(selects);
  const isNamed = choice.included.length > 0;
  const isWhole = (target: Target) => innerTarget(target) === undefined;
  if (!isAlways && ((isNamed && included.length === 0) || excluded.some(isWhole))) return undefined;
  if (!attribute.subAttributes || !isObject(value)) return value;
  const inner = (targets: readonly Target[]) => targets.flatMap((each) => innerTarget(each) ?? []);
  return projectObject(value, attribute.subAttributes, {
    byDefault: !isNamed || included.some(isWhole),
    included: inner(included),
    excluded: inner(excluded),
  });
}
