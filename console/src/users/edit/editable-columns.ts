/** What can be edited in the table. An employee ID is changed on the user's page, which says what follows. */
const editableColumns = [
  'name',
  'isActive',
  'email',
  'phone',
  'username',
  'organizationSerial',
  'tagSerials',
] as const;

export type EditableColumn = (typeof editableColumns)[number];
export type EditableField = Exclude<EditableColumn, 'isActive'>;

export function isEditableColumn(column: string): column is EditableColumn {
  return (editableColumns as readonly string[]).includes(column);
}
