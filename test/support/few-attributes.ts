import type { Attribute, AttributeSettings } from '../../src/contract/attributes.js';
import { type AttributeReader, AttributeSet } from '../../src/domain/attributes/attribute-set.js';
import { insertAttribute, listAttributes } from '../../src/storage/attributes/attributes.js';
import type { Database } from '../../src/storage/database.js';

const text = {
  type: 'text',
  ...{ labels: {}, synonyms: [] },
  ...{ maxLength: null, pattern: null, minimum: null, maximum: null, choices: null },
  ...{ isSearchable: false, isFilterable: false, isSensitive: false, isEditableByUser: false },
} as const;
const settings: readonly AttributeSettings[] = [
  { ...text, key: 'note', isUnique: false },
  { ...text, key: 'badge', isUnique: true },
];

/** Two texts, a plain one and a unique one. */
export interface FewAttributes {
  readonly definitions: AttributeSet;
  readonly read: AttributeReader;
  /** The IDs of those that are unique. */
  readonly unique: readonly string[];
}

export function knownAttributes(attributes: readonly Attribute[]): FewAttributes {
  const definitions = new AttributeSet(attributes);
  return {
    definitions,
    read: (sent, origin, nulls) => definitions.read(sent, origin, { nulls, maySeeSensitive: true }),
    unique: attributes.filter(({ isUnique }) => isUnique).map(({ id }) => String(id)),
  };
}

/** For plans, which need no database. */
export const plannedAttributes = knownAttributes(
  settings.map((each, index) => ({
    ...each,
    ...{ id: index + 1, version: 1, isRetired: false, createdAt: '', updatedAt: '' },
  })),
);

/** Defines them, unless an earlier test of the same service has. */
export async function definedAttributes({ pool }: Database): Promise<FewAttributes> {
  const keys = (await listAttributes(pool)).map(({ key }) => key);
  for (const each of settings) if (!keys.includes(each.key)) await insertAttribute(pool, each);
  const attributes = await listAttributes(pool);
  return knownAttributes(attributes.filter(({ key }) => settings.some((each) => each.key === key)));
}
