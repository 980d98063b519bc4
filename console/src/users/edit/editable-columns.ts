import { fieldsInTables, type UserField } from '../data/user.js';

/** What can be edited in the table. An employee ID is changed on the user's page, which says what follows. */
export type EditableColumn = Exclude<UserField, 'employeeID'>;
export type EditableField = Exclude<EditableColumn, 'isActive'>;

export function isEditableColumn(column: string): column is EditableColumn {
  return column !== 'employeeID' && (fieldsInTables as readonly string[]).includes(column);
}
