import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { type SelectedUsers, userQuery } from './filters.js';
import { formatStatus, type User } from './format-user.js';

/** `rollcall users list` */
export async function listUsers(options: SelectedUsers & ListOptions): Promise<void> {
  const users = connectInteractive().each('listUsers', {
    query: { ...userQuery(options), limit: pageLimit(options) },
  });
  await printList<User>(users, options, {
    headings: ['EMPLOYEE ID', 'NAME', 'USERNAME', 'EMAIL', 'PHONE', 'STATUS'],
    row: (user) => [
      user.employeeID,
      user.name,
      user.username ?? '',
      user.email ?? '',
      user.phone ?? '',
      formatStatus(user),
    ],
    empty: 'No matches. Remove a filter, or create a user: rollcall users create --help.',
  });
}
