import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { type UserFilters, userQuery } from './filters.js';
import { shownStatus, type User } from './shown-user.js';

/** `rollcall users list` */
export async function listUsers(options: UserFilters & ListOptions): Promise<void> {
  const users = connectBriefly().each('listUsers', {
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
      shownStatus(user),
    ],
    empty:
      'There is nobody like that. Leave a filter away, or create somebody: rollcall users create --help.',
  });
}
