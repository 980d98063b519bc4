import { attributeField, inexactNumber } from '../../contract/attribute-rules.js';
import {
  type AttributePatch,
  type AttributeValue,
  type AttributeValues,
  parseAttributes,
  storedAttributes,
  tooLargeObject,
} from '../../contract/attribute-values.js';
import type { Attribute } from '../../contract/attributes.js';
import { editDistance } from '../../contract/edit-distance.js';
import type { Failure } from '../../contract/errors.js';
import { attributeLimits } from '../../contract/limits.js';
import { type FieldUse, type NullMeaning, optional } from '../../contract/shapes.js';
import { type ObjectRules, type Origin, type Parsed, quoted, readFields, reject } from '../read-fields.js';

const objectRules: Omit<ObjectRules, 'nulls'> = {
  noun: '"attributes"',
  within: 'attributes',
  errors: {
    notAnObject: 'USER_FIELD_INVALID',
    notAccepted: 'USER_FIELD_NOT_ACCEPTED',
    required: 'USER_FIELD_REQUIRED',
    invalid: 'USER_FIELD_INVALID',
  },
};

/** The attributes that are defined, at one moment. */
export class AttributeSet {
  readonly all: readonly Attribute[];
  readonly #byKey: ReadonlyMap<string, Attribute>;
  readonly #byId: ReadonlyMap<string, Attribute>;
  #rules: Readonly<Record<string, FieldUse>> | undefined;
  /** The keys of retired attributes. */
  readonly #retired: ReadonlySet<string>;
  readonly #objectRules: Readonly<Record<NullMeaning, ObjectRules>>;
  /** As in a stored text. */
  readonly #uniqueKeys: readonly string[];
  /** Whether any attribute is unique. */
  readonly hasUnique: boolean;

  constructor(all: readonly Attribute[]) {
    this.all = all;
    this.#retired = new Set(all.filter(({ isRetired }) => isRetired).map(({ key }) => key));
    this.#uniqueKeys = all.flatMap(({ id, isUnique }) => (isUnique ? [`"${id}":`] : []));
    this.hasUnique = this.#uniqueKeys.length > 0;
    const rules = {
      ...objectRules,
      known: this.#retired,
      strayProblem: (name: string) => this.#strayProblem(name),
    };
    this.#objectRules = { keep: { ...rules, nulls: 'keep' }, clear: { ...rules, nulls: 'clear' } };
    this.#byKey = new Map(all.map((attribute) => [attribute.key, attribute]));
    this.#byId = new Map(all.map((attribute) => [String(attribute.id), attribute]));
  }

  /** The rules by key, without those of retired attributes. Whoever only shows values needs none. */
  get #uses(): Readonly<Record<string, FieldUse>> {
    this.#rules ??= Object.fromEntries(
      this.all
        .filter(({ isRetired }) => !isRetired)
        .map((each) => [each.key, optional(attributeField(each))]),
    );
    return this.#rules;
  }

  /** The rules of what was sent, in the order of the definitions: an item has few of many attributes. */
  #usesOf(sent: unknown): Readonly<Record<string, FieldUse>> {
    const uses = this.#uses;
    if (typeof sent !== 'object' || sent === null) return uses;
    const known = Object.keys(sent).filter((key) => Object.hasOwn(uses, key));
    const idOf = (key: string) => this.#byKey.get(key)?.id ?? 0;
    if (known.length > 1) known.sort((one, other) => idOf(one) - idOf(other));
    const sentUses: Record<string, FieldUse> = {};
    for (const key of known) sentUses[key] = uses[key] as FieldUse;
    return sentUses;
  }

  /** Reads the values that an item has sent, by key, into a patch by ID. */
  read(
    sent: unknown,
    origin: Origin,
    { nulls, maySeeSensitive }: { readonly nulls: NullMeaning; readonly maySeeSensitive: boolean },
  ): Parsed<AttributePatch> {
    const { position, ignoresUnknown } = origin;
    if (sent === tooLargeObject) return reject('USER_FIELD_INVALID', origin, 'attributes', isTooLarge);
    const read = readFields(sent, this.#usesOf(sent), { position, ignoresUnknown }, this.#objectRules[nulls]);
    if (!read.ok) return read;
    if (origin.repeatsKey) {
      return reject('USER_FIELD_NOT_ACCEPTED', origin, 'attributes', 'contains a key twice. Send it once.');
    }
    const patch: Record<string, AttributeValue | null> = {};
    for (const [key, value] of Object.entries(read.value)) {
      const { id, isSensitive } = this.#byKey.get(key) as Attribute; // the rules are theirs
      if (isSensitive && !maySeeSensitive) {
        return reject('USER_FIELD_NOT_ACCEPTED', origin, `attributes.${key}`, needsScope);
      }
      if (origin.changedNumbers?.has(key)) {
        return reject('USER_FIELD_INVALID', origin, `attributes.${key}`, `${inexactNumber}.`);
      }
      patch[id] = value as AttributeValue | null;
    }
    return { ...read, value: patch };
  }

  /** Values by key, as callers see them. Those of deleted attributes are not shown. */
  shown(values: AttributeValues, maySeeSensitive: boolean): Record<string, AttributeValue> {
    const shown: Record<string, AttributeValue> = {};
    for (const [id, value] of Object.entries(values)) {
      const attribute = this.#byId.get(id);
      if (attribute && (maySeeSensitive || !attribute.isSensitive)) shown[attribute.key] = value;
    }
    return shown;
  }

  /** The versions of the definitions that a patch depends on, by ID. */
  versionsOf(ids: Iterable<string>): Map<string, number> {
    const versions = new Map<string, number>();
    for (const id of ids) {
      const attribute = this.#byId.get(id);
      if (attribute) versions.set(id, attribute.version);
    }
    return versions;
  }

  /** The values of a user that nobody else may have. */
  uniqueValues(stored: string | null): readonly UniqueName[] {
    // Most users are not parsed: keys are the only texts between quotes that a colon follows.
    if (stored === null || !this.#uniqueKeys.some((key) => stored.includes(key))) return none;
    return Object.entries(parseAttributes(stored)).flatMap(([id, value]) => {
      const attribute = this.#byId.get(id);
      const text = String(value);
      return attribute?.isUnique ? [{ attribute, value: text, name: `${id}:${text}` }] : [];
    });
  }

  /** Whether a user's values of unique attributes change. Assumed if the definitions are not known. */
  changesUnique(before: string | null, after: string | null): boolean {
    if (before === after) return false;
    if (this === noAttributes) return true;
    const [had, has] = [this.uniqueValues(before), this.uniqueValues(after)];
    return had.length !== has.length || had.some(({ name }, index) => name !== has[index]?.name);
  }

  /** Whether every attribute that gets a value is defined. */
  definesAll(patch: AttributePatch): boolean {
    return Object.entries(patch).every(([id, value]) => value === null || this.#byId.has(id));
  }

  withoutDeleted(values: AttributeValues): AttributeValues {
    return Object.fromEntries(Object.entries(values).filter(([id]) => this.#byId.has(id)));
  }

  changesSensitive(patch: AttributePatch): boolean {
    return Object.keys(patch).some((id) => this.#byId.get(id)?.isSensitive);
  }

  /** The values that need a scope of their own, as they are stored. */
  sensitiveValues(stored: string | null): string | null {
    const values = Object.entries(parseAttributes(stored));
    return storedAttributes(Object.fromEntries(values.filter(([id]) => this.#byId.get(id)?.isSensitive)));
  }

  /** Why the caller may not change these. Failures are stored, so it doesn't say which attribute it is. */
  denied(patch: AttributePatch, origin: Origin, seesSensitive: boolean): Failure | undefined {
    if (seesSensitive || !this.changesSensitive(patch)) return undefined;
    return reject('USER_FIELD_NOT_ACCEPTED', origin, 'attributes', hasSensitive).failure;
  }

  isUnique(id: string): boolean {
    return this.#byId.get(id)?.isUnique === true;
  }

  /** Why values that were read earlier are no longer accepted: definitions can change in between. */
  outdated(patch: AttributePatch, origin: Origin): Failure | undefined {
    for (const [id, value] of Object.entries(patch)) {
      if (value === null) continue;
      const attribute = this.#byId.get(id);
      if (!attribute) {
        return reject('USER_FIELD_NOT_ACCEPTED', origin, 'attributes', wasDeleted).failure;
      }
      const field = `attributes.${attribute.key}`;
      const use = attribute.isRetired ? undefined : this.#uses[attribute.key];
      if (!use) return reject('USER_FIELD_NOT_ACCEPTED', origin, field, isRetired).failure;
      if (!use.field.accepts(value)) {
        return reject('USER_FIELD_INVALID', origin, field, `must be ${use.field.rule}.`).failure;
      }
    }
    return undefined;
  }

  /** An attribute by its key, or why there is none. A hidden one is treated as if it didn't exist. */
  find(key: string, maySeeSensitive: boolean): Attribute | string {
    const visible = this.#visible(maySeeSensitive);
    return (
      visible.find((each) => each.key === key) ??
      strayProblem(
        key,
        visible.map((each) => each.key),
      )
    );
  }

  /** The same for one to filter and sort by. */
  filterable(key: string, maySeeSensitive: boolean): Attribute | string {
    const visible = this.#visible(maySeeSensitive);
    const attribute = visible.find((each) => each.key === key);
    if (attribute?.isFilterable) return attribute;
    if (attribute) return 'is not filterable. An administrator can change that.';
    return strayProblem(
      key,
      visible.filter(({ isFilterable }) => isFilterable).map((each) => each.key),
    );
  }

  #visible(maySeeSensitive: boolean): readonly Attribute[] {
    return this.all.filter(({ isSensitive }) => maySeeSensitive || !isSensitive);
  }

  #strayProblem(name: string): string {
    if (this.#byKey.get(name)?.isRetired) return isRetired;
    return strayProblem(name, Object.keys(this.#uses));
  }
}

interface WithAttributes {
  readonly attributes: string | null;
}

/** Whether a change makes a user's values larger than they may be. Those that are already may shrink. */
export function growsTooLarge(before: WithAttributes | null, { attributes }: WithAttributes): boolean {
  if (attributes === null || attributes.length * bytesPerUnitMax <= attributeLimits.objectMaxBytes)
    return false;
  const bytes = Buffer.byteLength(attributes);
  return bytes > attributeLimits.objectMaxBytes && bytes > Buffer.byteLength(before?.attributes ?? '');
}

/** Of UTF-8, per UTF-16 code unit. */
const bytesPerUnitMax = 3;

export function attributesTooLarge(position: number | undefined): Failure {
  return reject('USER_FIELD_INVALID', { position }, 'attributes', isTooLarge).failure;
}

export const noAttributes = new AttributeSet([]);

/** What a caller may not see of a user's attributes. */
export type HiddenAttributes = (stored: string | null) => string | null;

export const nothingHidden: HiddenAttributes = () => null;

/** A value of a unique attribute. */
export interface UniqueName {
  readonly attribute: Attribute;
  readonly value: string;
  /** Tells it apart from other values and attributes. */
  readonly name: string;
}

const isTooLarge = `must have at most ${attributeLimits.attributesMax} keys and ${attributeLimits.objectMaxBytes / 1_024} KB.`;
const none: readonly never[] = [];
const isRetired = 'is retired and no longer accepted. Remove it.';
const wasDeleted = 'contains an attribute that was deleted in the meantime. Remove it.';

/** Reads the attributes that an item has sent. */
export type AttributeReader = (sent: unknown, origin: Origin, nulls: NullMeaning) => Parsed<AttributePatch>;

/** For callers that send none, or where none is defined. */
export const withoutAttributes: AttributeReader = (sent, origin, nulls) =>
  noAttributes.read(sent, origin, { nulls, maySeeSensitive: true });

const hasSensitive =
  'contains something that you may not see. Changing it requires the scope attributes:sensitive.';
const needsScope = 'is sensitive. Changing it requires the scope attributes:sensitive.';

function strayProblem(name: string, keys: readonly string[]): string {
  if (keys.length === 0) return 'is not an attribute. None is defined.';
  const near = nearestKey(name, keys);
  if (near !== undefined) return `is not an attribute. Did you mean "${near}"?`;
  return 'is not an attribute. GET /service/attributes lists those that are defined.';
}

/** Keys differ from what people type in case first of all. */
function nearestKey(name: string, keys: readonly string[]): string | undefined {
  const typed = quoted(name).toLowerCase();
  const [best] = keys
    .map((key) => ({ key, distance: editDistance(typed, key.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.ceil(typed.length / 3) ? best.key : undefined;
}
