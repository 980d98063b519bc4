import type { UserField } from '../../contract/user-fields.js';
import {
  type ChangeableField,
  changeableFields,
  columnOf,
  compiledFields,
  fieldRows,
  type UserValues,
} from '../../contract/user-values.js';
import { joinedLists, namedColumns, parseTextArray, plainArray, textArray } from '../sql.js';

/** The columns of all fields. */
export const fieldColumns: readonly string[] = changeableFields.map(columnOf);

/** The fields under their own names. */
export const namedFields: string = namedColumns(changeableFields);

/** The values of some fields of many users, one array per field, for `unnest`. */
export interface FieldArrays {
  readonly values: readonly unknown[];
  /** `$3::text[]`, for each array. */
  readonly arrays: readonly string[];
  /** What to store, from a row `new` with a column for each array. */
  readonly stored: readonly string[];
}

/** What is sent as a text and stored as something else. */
const storedAs: Partial<Record<UserField['kind'], string>> = {
  attributes: '::jsonb',
  json: '::jsonb',
  serial: '::uuid',
};

/** Starting with the parameter of this number. A list is sent as one text, with the separator as the last parameter. */
export function fieldArrays(
  users: readonly UserValues[],
  names: readonly ChangeableField[],
  firstParameter: number,
): FieldArrays {
  const arrays: string[] = [];
  const values: unknown[] = [];
  const separators: string[] = [];
  const stored = names.map((name, index) => {
    const { kind } = fieldRows[name];
    arrays.push(`$${firstParameter + index}::${kind === 'boolean' ? 'boolean' : 'text'}[]`);
    const column = `new.${columnOf(name)}`;
    if (kind !== 'list') {
      values.push(kind === 'boolean' ? plainArray(fieldOf(users, name)) : textArray(fieldOf(users, name)));
      return column + (storedAs[kind] ?? '');
    }
    const lists = joinedLists(fieldOf(users, name));
    values.push(lists.joined);
    separators.push(lists.separator);
    return `string_to_array(${column}, $${firstParameter + names.length + separators.length - 1})`;
  });
  return { arrays, stored, values: [...values, ...separators] };
}

/** The values of a field; the caller knows their type from its kind. */
function fieldOf<Value>(users: readonly UserValues[], name: ChangeableField): Value[] {
  return users.map((user) => user[name] as Value);
}

/** The values of one user as they are sent, in the order of the columns. */
export function fieldValues(user: UserValues): unknown[] {
  return changeableFields.map((name) =>
    fieldRows[name].kind === 'list' ? textArray(user[name] as readonly string[]) : user[name],
  );
}

/**
 * Reads many users as one text: for 2,500 users this costs the process 4 ms, and 10 ms as rows of ten columns. No text
 * is stored empty, so "" can represent null.
 */
export interface Packing<User> {
  /** None of them may be null. */
  readonly columns: readonly string[];
  /** Builds a user from the texts of its columns, starting at `at`. */
  unpack(texts: readonly string[], at: number): User;
}

/** A packing of all fields and of other columns, each with an expression that reads its text. */
export function packingOf<User extends UserValues>(
  others: Readonly<Record<string, { readonly column: string; read(text: string): string }>>,
  helpers: Readonly<Record<string, unknown>> = {},
): Packing<User> {
  const textAt = (index: number) => `texts[at + ${index}]`;
  const isNullable = (name: ChangeableField) =>
    !fieldRows[name].isRequired && fieldRows[name].kind !== 'list';
  const read = (name: ChangeableField, index: number) => {
    if (fieldRows[name].kind === 'boolean') return `${textAt(index)} === 't'`;
    if (fieldRows[name].kind === 'list') return `parseTextArray(${textAt(index)})`;
    return isNullable(name) ? `${textAt(index)} || null` : textAt(index);
  };
  const columns = changeableFields.map((name) => {
    const column = columnOf(name);
    if (fieldRows[name].kind === 'list') return `${column}::text`;
    const text = storedAs[fieldRows[name].kind] ? `${column}::text` : column;
    return isNullable(name) ? `coalesce(${text}, '')` : column;
  });
  const more = Object.entries(others).map(([name, { read }], index): [string, string] => [
    name,
    read(textAt(changeableFields.length + index)),
  ]);
  return {
    columns: [...columns, ...Object.values(others).map(({ column }) => column)],
    unpack: compiledFields(['texts', 'at'], read, Object.fromEntries(more), { parseTextArray, ...helpers }),
  };
}

export type PackedRow = [count: number, packed: string | null];

/** The SELECT expression of a packing. It always returns one row. */
export function packed({ columns }: Packing<unknown>): string {
  return `count(*)::integer, string_agg(concat_ws(E'\\x1f', ${columns.join(', ')}), E'\\x1f')`;
}

/** Undefined if a name contains the separator: then there are more texts than expected. */
export function unpacked<User>(
  { columns, unpack }: Packing<User>,
  row: PackedRow | undefined,
): User[] | undefined {
  const [count = 0, text = null] = row ?? [];
  if (text === null) return [];
  const texts = text.split('\u001f');
  if (texts.length !== count * columns.length) return undefined;
  return Array.from({ length: count }, (_, index) => unpack(texts, index * columns.length));
}
