import { attributeHeading, attributeKey, isAttributeField } from '#sheets';
import { nearest } from '../../config/nearest.js';
import { fieldRows, type PlainField } from '../../contract/user-values.js';
import type { Attribute } from '../attribute-definitions.js';
import { CommandProblem } from '../problem.js';
import { columns, defaultColumns, type FieldColumn, ownWidths } from './format.js';

/** A column of the table. */
export interface Column {
  readonly heading: string;
  /** In a workbook, in characters. */
  readonly width: number;
  /** What it contains: a field, or the attribute with a key. */
  readonly from: { readonly field: FieldColumn } | { readonly attribute: string };
}

/** The columns by their names, or by default all that `rollcall sync` accepts. */
export function columnsNamed(
  names: readonly string[] | undefined,
  attributes: readonly Attribute[],
): Column[] {
  if (names === undefined) return [...defaultColumns.map(fieldColumn), ...attributes.map(attributeColumn)];
  return names.map((name) => {
    const field = columns.find((each) => each === name);
    if (field) return fieldColumn(field);
    const key = isAttributeField(name) ? attributeKey(name) : name;
    const attribute = attributes.find((each) => each.key === key);
    if (attribute) return attributeColumn(attribute);
    const all = [...columns, ...attributes.map((each) => each.key)];
    const meant = nearest(name, all);
    const next = meant === undefined ? `Use some of ${all.join(', ')}.` : `Did you mean ${meant}?`;
    throw new CommandProblem(
      'wrongUse',
      `--columns: "${name}" is neither a field nor an attribute that you may see. ${next}`,
    );
  });
}

function fieldColumn(field: FieldColumn): Column {
  const width =
    field in ownWidths
      ? ownWidths[field as keyof typeof ownWidths]
      : (fieldRows[field as PlainField].width ?? 20);
  return { heading: field, width, from: { field } };
}

const attributeWidths: Readonly<Record<Attribute['type'], number>> = {
  ...{ text: 20, number: 12, date: 12, boolean: 10, choice: 20, list: 24 },
};

function attributeColumn({ key, type }: Attribute): Column {
  return { heading: attributeHeading(key), width: attributeWidths[type], from: { attribute: key } };
}
