import type { Query } from '#client';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { shownStatus, type User } from './shown-user.js';

export interface ListUsersOptions extends ListOptions {
  readonly employeeId?: string | undefined;
  readonly username?: string | undefined;
  readonly active?: boolean | undefined;
  readonly organization?: string | undefined;
  readonly tag?: string | undefined;
  readonly search?: string | undefined;
  readonly sort?: Query<'listUsers'>['sort'];
}

/** `rollcall users list` */
export async function listUsers(options: ListUsersOptions): Promise<void> {
  const { employeeId, username, active, organization, tag, search, sort } = options;
  const users = connectBriefly().each('listUsers', {
    query: {
      employeeID: employeeId,
      username,
      isActive: active,
      organizationSerial: organization,
      tagSerial: tag,
      search,
      sort,
      limit: pageLimit(options),
    },
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
