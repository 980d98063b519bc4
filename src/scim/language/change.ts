import { scimLimits } from '../../contract/limits.js';
import type { BoundFilter } from './bound-filter.js';
import { operandsIn } from './filter.js';
import { isEmpty, isObject, isSame, type JsonObject, own, withProperty } from './json.js';
import { matchesValue } from './matches.js';
import { done, failed, type Outcome, quoted, type ScimFailure } from './outcome.js';
import { parsePath } from './path.js';
import { attributeNamed, type ScimAttribute, type ScimSchema, schemaOfValue } from './schema.js';
import { innerTarget, type Target, targetOf } from './target.js';
import { explainSyntax } from './tokens.js';
import {
  addValues,
  type ChangedValues,
  valueDescribedBy,
  withOnePrimary,
  withoutValues,
} from './value-list.js';
import { readValue, readValues, unlisted } from './values.js';

export const changeKinds = ['add', 'remove', 'replace'] as const;

export type ChangeKind = (typeof changeKinds)[number];

interface Change {
  readonly kind: ChangeKind;
  /** The value as it was sent. */
  readonly sent: unknown;
}

/** Changes what a value names. Entra ID also sends paths as names: `{"name.givenName": "Ada"}`. */
export function changeEach(
  entries: readonly (readonly [path: string, sent: unknown])[],
  resource: JsonObject,
  kind: ChangeKind,
  schema: ScimSchema,
): Outcome<JsonObject> {
  let current = resource;
  for (const [path, sent] of entries) {
    const changed = changeAt(path, current, { kind, sent }, schema);
    if (!changed.ok) return changed;
    current = changed.value;
  }
  return done(current);
}

/** Changes what a path leads to. */
export function changeAt(
  text: string,
  resource: JsonObject,
  change: Change,
  schema: ScimSchema,
): Outcome<JsonObject> {
  const path = parsePath(text);
  if (!path.ok) return failed('invalidPath', `${quoted(text)} is not a path. ${explainSyntax(path.problem)}`);
  const { filter } = path.value;
  if (filter && operandsIn(filter).length > scimLimits.filterComparisonsMax) {
    return failed(
      'invalidFilter',
      `A filter in a path may have at most ${scimLimits.filterComparisonsMax} comparisons.`,
    );
  }
  const target = targetOf(path.value, schema);
  return target.ok ? changeTarget(resource, target.value, change) : target;
}

function changeTarget(parent: JsonObject, target: Target, change: Change): Outcome<JsonObject> {
  const [attribute] = target.steps;
  const current = own(parent, attribute.name);
  if (attribute.mutability === 'readOnly' && !innerTarget(target) && !target.filter) {
    return isReturned(current, change) ? done(parent) : readOnlyProblem(attribute);
  }
  const changed = changeAttribute(attribute, current, target, change);
  if (!changed.ok) return changed;
  const value = isEmpty(changed.value) ? undefined : changed.value;
  return mutabilityProblem(attribute, current, value) ?? done(withProperty(parent, attribute.name, value));
}

function changeAttribute(
  attribute: ScimAttribute,
  current: unknown,
  target: Target,
  change: Change,
): Outcome<unknown> {
  const inner = innerTarget(target);
  if (attribute.multiValued) {
    const values = Array.isArray(current) ? current : [];
    const changed = changeValues(attribute, values, target.filter, inner, change);
    return changed.ok ? done(withOnePrimary(attribute, changed.value)) : changed;
  }
  return inner ? changeTarget(objectIn(current), inner, change) : changeValue(attribute, current, change);
}

/** Whether a client sends back what it has read, or a part of it. Then nothing is to be changed. */
function isReturned(current: unknown, { kind, sent }: Change): boolean {
  if (kind === 'remove') return false;
  if (isEmpty(sent) && isEmpty(current)) return true;
  if (Array.isArray(current)) {
    const values = Array.isArray(sent) ? sent : [sent];
    const isComplete = kind === 'add' || values.length === current.length;
    return isComplete && values.every((each) => current.some((known) => isPartOf(each, known)));
  }
  return isPartOf(unlisted(sent), current);
}

function isPartOf(sent: unknown, current: unknown): boolean {
  if (!isObject(sent) || !isObject(current)) return isSame(sent, current);
  return Object.entries(sent).every(([name, each]) => isSame(each, own(current, name)));
}

function readOnlyProblem({ name }: ScimAttribute): ScimFailure {
  return failed('mutability', `"${name}" is read-only.`);
}

/** Clients return what they have read, so a value that stays the same is no change. */
function mutabilityProblem(
  attribute: ScimAttribute,
  current: unknown,
  changed: unknown,
): ScimFailure | undefined {
  const { name, mutability, required } = attribute;
  if (required && changed === undefined && current !== undefined) {
    return failed('mutability', `"${name}" is required, so it cannot be removed.`);
  }
  const isFixed = mutability === 'readOnly' || (mutability === 'immutable' && current !== undefined);
  if (!isFixed || isSame(current, changed)) return undefined;
  return mutability === 'readOnly'
    ? readOnlyProblem(attribute)
    : failed('mutability', `"${name}" is immutable.`);
}

/** Sub-attributes that a complex value doesn't name keep their values. */
function changeValue(attribute: ScimAttribute, current: unknown, { kind, sent }: Change): Outcome<unknown> {
  if (kind === 'remove') return done(undefined);
  const only = unlisted(sent);
  if (attribute.type === 'complex' && isObject(only)) {
    const subAttributes = attribute.subAttributes ?? [];
    const settable = Object.entries(only).filter(
      ([name]) => attributeNamed(name, subAttributes)?.mutability !== 'readOnly',
    );
    return changeEach(settable, objectIn(current), kind, schemaOfValue(attribute));
  }
  const read = readValue(attribute, only);
  return read.ok && isObject(read.value) ? done({ ...objectIn(current), ...read.value }) : read;
}

function changeValues(
  attribute: ScimAttribute,
  current: readonly unknown[],
  filter: BoundFilter | undefined,
  inner: Target | undefined,
  change: Change,
): Outcome<ChangedValues> {
  if (!filter && !inner) return changeAllValues(attribute, current, change);
  const selected = [...current.keys()].filter((at) => !filter || matchesValue(filter, current[at]));
  if (selected.length > 0 || change.kind === 'remove') {
    return changeSelected(attribute, current, new Set(selected), { inner, filter, change });
  }
  const isStrict = filter !== undefined && change.kind === 'replace';
  const described = filter ? valueDescribedBy(filter) : {};
  if (isStrict || !described) return failed('noTarget', 'No value matches "path".');
  // Entra ID adds emails[type eq "work"].value to a user without such an email.
  const added = new Set([current.length]);
  return changeSelected(attribute, [...current, described], added, { inner, filter, change });
}

function changeAllValues(
  attribute: ScimAttribute,
  current: readonly unknown[],
  { kind, sent }: Change,
): Outcome<ChangedValues> {
  const isWhole = kind === 'remove' && (sent === undefined || sent === null);
  if (isWhole) return done({ values: [], changed: new Set() });
  const read = readValues(attribute, sent);
  if (!read.ok) return read;
  // Not in the RFC, but Entra ID removes members by listing them in "value".
  if (kind === 'remove') {
    return done({ values: withoutValues(attribute, current, read.value), changed: new Set() });
  }
  return done(addValues(attribute, kind === 'add' ? current : [], read.value));
}

interface Selection {
  readonly filter: BoundFilter | undefined;
  readonly inner: Target | undefined;
  readonly change: Change;
}

function changeSelected(
  attribute: ScimAttribute,
  current: readonly unknown[],
  selected: ReadonlySet<number>,
  { filter, inner, change }: Selection,
): Outcome<ChangedValues> {
  const values: unknown[] = [];
  const changed = new Set<number>();
  for (const [at, each] of current.entries()) {
    if (!selected.has(at)) {
      values.push(each);
      continue;
    }
    const next = inner
      ? changeTarget(objectIn(each), inner, change)
      : changeSelectedValue(attribute, each, filter, change);
    if (!next.ok) return next;
    if (isEmpty(next.value)) continue;
    changed.add(values.length);
    values.push(next.value);
  }
  return done({ values, changed });
}

/** What replaces a value still has what it was selected by, even if the client doesn't repeat it. */
function changeSelectedValue(
  attribute: ScimAttribute,
  current: unknown,
  filter: BoundFilter | undefined,
  { kind, sent }: Change,
): Outcome<unknown> {
  if (kind === 'remove') return done(undefined);
  const read = readValue(attribute, sent);
  if (!read.ok || !isObject(read.value)) return read;
  const kept = kind === 'add' ? objectIn(current) : ((filter && valueDescribedBy(filter)) ?? {});
  return done({ ...kept, ...read.value });
}

function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
