import type { Schemas } from '@rollcall/client';
import { userFields } from '@rollcall/sheets';

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
