import type { Column } from './users-view.js';

/** A column of the table, including the one with the checkboxes. */
export type TableColumn = Column | 'select';

export function tableColumns(columns: readonly Column[]): TableColumn[] {
  return ['select', ...columns];
}
