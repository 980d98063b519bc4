import { attributeField } from './fields.js';
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
  /** Whether the heading is its key or a label, and it is in use. A synonym may mean something else. */
  readonly isCalledSo: boolean;
}

const synonymRank = 4;

/** Finds the attribute that a heading names: by its name in the API, its key, a label or a synonym. */
export function attributeFinder(
  attributes: readonly Attribute[],
): (heading: string) => NamedAttribute | undefined {
  const exact = new Map<string, NamedAttribute>();
  const similar = new Map<string, NamedAttribute>();
  const note = (
    names: Map<string, NamedAttribute>,
    name: string,
    { key, isRetired }: Attribute,
    rank: number,
  ) => {
    const known = names.get(name);
    if (name === '' || (known !== undefined && known.rank <= rank)) return;
    names.set(name, { key, rank, isCalledSo: !isRetired && rank < synonymRank });
  };
  // What is retired gives way to an attribute in use with the same name.
  const inUseFirst = [...attributes].sort((one, other) => Number(one.isRetired) - Number(other.isRetired));
  for (const attribute of inUseFirst) {
    const { key, labels, synonyms } = attribute;
    note(exact, attributeField(key).toLowerCase(), attribute, 0);
    note(exact, key.toLowerCase(), attribute, 1);
    note(similar, headingKey(key), attribute, 2);
    for (const label of Object.values(labels)) note(similar, headingKey(label ?? ''), attribute, 3);
    for (const synonym of synonyms) note(similar, headingKey(synonym), attribute, synonymRank);
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
