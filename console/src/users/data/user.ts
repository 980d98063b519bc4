import type { Schemas } from '@rollcall/client';
import {
  type AttributeField,
  attributeIn,
  attributeKey,
  isAttributeField,
  userFields,
} from '@rollcall/sheets';
import { type Attribute, type AttributeValue, attributeOf } from '../../components/attribute-value.js';
import { activityCopy } from '../../copy/copy.js';

export type User = Schemas['User'];
/** With the former employee ID by which the user was found, if any. */
export type ListedUser = Schemas['ListedUser'];

type Rows = typeof userFields;
type FieldOf<Kind extends string> = {
  [Name in keyof Rows]: Rows[Name]['kind'] extends Kind ? Name : never;
}[keyof Rows];

export type UserField = keyof Rows;
export type TextField = FieldOf<'text'>;
export type ListField = FieldOf<'list'>;

function startingWith<Name extends string>(first: readonly Name[], names: readonly Name[]): readonly Name[] {
  return [...first, ...names.filter((name) => !first.includes(name))];
}

/** In the order of tables. */
export const fieldsInTables: readonly UserField[] = startingWith(
  ['name', 'employeeID', 'isActive', 'email', 'phone', 'username', 'organizationSerial'],
  Object.keys(userFields) as UserField[],
);

const ofKind = <Kind extends string>(kind: Kind) =>
  fieldsInTables.filter((field) => userFields[field].kind === kind) as UserField[] as FieldOf<Kind>[];

/** In the order of forms. */
export const textFields: readonly TextField[] = startingWith(
  ['name', 'employeeID', 'username'],
  ofKind('text'),
);
export const listFields: readonly ListField[] = ofKind('list');

/** Managers are entered by employee ID, and shown by name. */
export const managerField = 'managerEmployeeID';
export type ManagerField = typeof managerField;

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map((word = '') => [...word][0]?.toLocaleUpperCase()).join('');
}

/** What can be edited in the table. An employee ID is changed on the user's page, which says what follows. */
type EditableColumn = Exclude<UserField, 'employeeID'> | ManagerField | AttributeField;
export type EditableField = Exclude<EditableColumn, 'isActive'>;

/** Retired attributes keep their values. */
export function isEditableColumn(column: string, attributes: readonly Attribute[]): column is EditableColumn {
  if (isAttributeField(column)) return attributeOf(column, attributes)?.isRetired === false;
  if (column === managerField) return true;
  return column !== 'employeeID' && (fieldsInTables as readonly string[]).includes(column);
}

export type FieldValue = AttributeValue | null;

/** Null if the user has none. A manager who is gone has no employee ID, but differs from none. */
export function storedValue(
  user: User,
  field: TextField | ListField | ManagerField | AttributeField | 'isActive',
): FieldValue {
  if (field === managerField) return user.manager && (user.manager.employeeID ?? activityCopy.actors.removed);
  // Attributes are whatever their definitions say.
  return isAttributeField(field)
    ? ((attributeIn(user.attributes, attributeKey(field)) ?? null) as FieldValue)
    : user[field];
}
