import { commonCopy, usersCopy, usersListCopy } from '../../copy/copy.js';
import type { Column } from './users-view.js';

export function columnName(column: Column): string {
  if (column === 'createdAt' || column === 'updatedAt') return usersCopy[column];
  return column === 'isActive' ? usersListCopy.status : commonCopy.fields[column];
}
