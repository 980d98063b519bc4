import type { FieldName } from './fields.js';
import { headingKey, recognise } from './synonyms.js';

export type AttributeType = 'text' | 'number' | 'date' | 'boolean' | 'choice' | 'list';

/** A field of users that an administrator has defined, as the service describes it. */
export interface Attribute {
  readonly key: string;
  readonly type: AttributeType;
  /** What people call it, by language. */
  readonly labels: Readonly<Record<string, string | undefined>>;
  /** Other headings of its column. */
  readonly synonyms: readonly string[];
  readonly maxLength: number | null;
  readonly minimum: number | string | null;
  readonly maximum: number | string | null;
  readonly choices: readonly string[] | null;
  readonly isRetired: boolean;
}

/** What mappings and problems call an attribute, as the service does. */
export type AttributeField = `attributes.${string}`;
export type MappedField = FieldName | AttributeField;

const prefix = 'attributes.';

export function attributeField(key: string): AttributeField {
  return `${prefix}${key}`;
}

export function isAttributeField(field: string): field is AttributeField {
  return field.startsWith(prefix);
}

export function attributeKey(field: AttributeField): string {
  return field.slice(prefix.length);
}

/** Exported columns that the service sets itself. They never mean an attribute. */
const setByService: ReadonlySet<string> = new Set(['serial', 'createdat', 'updatedat']);

/** A heading under which an attribute is always read back: its key, unless that names another column. */
export function attributeHeading(key: string): string {
  const isOther = setByService.has(key.toLowerCase()) || recognise(key) !== undefined;
  return isOther ? attributeField(key) : key;
}

export interface NamedAttribute {
  readonly key: string;
  /** The confidence: if two columns name an attribute, the one with the lower number gets it. */
  readonly rank: number;
}

/** Finds the attribute that a heading names: by its name in the API, its key, a label or a synonym. */
export function attributeFinder(
  attributes: readonly Attribute[],
): (heading: string) => NamedAttribute | undefined {
  const exact = new Map<string, NamedAttribute>();
  const similar = new Map<string, NamedAttribute>();
  const note = (names: Map<string, NamedAttribute>, name: string, key: string, rank: number) => {
    const known = names.get(name);
    if (name !== '' && (known === undefined || rank < known.rank)) names.set(name, { key, rank });
  };
  // What is retired gives way to an attribute in use with the same name.
  const inUseFirst = [...attributes].sort((one, other) => Number(one.isRetired) - Number(other.isRetired));
  for (const { key, labels, synonyms } of inUseFirst) {
    note(exact, attributeField(key).toLowerCase(), key, 0);
    note(exact, key.toLowerCase(), key, 1);
    note(similar, headingKey(key), key, 2);
    for (const label of Object.values(labels)) note(similar, headingKey(label ?? ''), key, 3);
    for (const synonym of synonyms) note(similar, headingKey(synonym), key, 4);
  }
  const withoutRemark = (heading: string) => heading.replace(/\(.*?\)|\[.*?\]/g, '');
  return (heading) => {
    const name = heading.trim().toLowerCase();
    if (setByService.has(name)) return undefined;
    return (
      exact.get(name) ?? similar.get(headingKey(heading)) ?? similar.get(headingKey(withoutRemark(heading)))
    );
  };
}
