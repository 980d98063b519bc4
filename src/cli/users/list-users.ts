import type { Schemas } from '#client';
import { type ListOptions, pageLimit, printList, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { err } from '../terminal/style.js';
import { type CountOptions, countUsers } from './count-users.js';
import { type SelectedUsers, userQuery } from './filters.js';
import { formatStatus } from './format-user.js';
import { formatMatches, formatNoMatches, maybeMissing, type UserTotal } from './matches.js';
import { pagesOf } from './pages.js';

export type ListUsersOptions = SelectedUsers & ListOptions & CountOptions;

/** `rollcall users list` */
export async function listUsers(options: ListUsersOptions): Promise<void> {
  if (options.count) return countUsers(options);
  if (options.approximate) throw new CommandProblem('wrongUse', '--approximate requires --count.');
  const rollcall = connectInteractive();
  const query = { ...userQuery(options), limit: pageLimit(options) };
  let total: UserTotal | undefined;
  let isComplete = true;
  async function* users() {
    const pages = pagesOf(
      async (page) => (await rollcall.call('listUsers', { query: { ...query, ...page } })).body.data,
      options.all ? undefined : 'approximate', // with --all, the printed users are counted
    );
    for await (const page of pages) {
      total ??= page.total;
      isComplete &&= page.isComplete;
      yield* page.items;
    }
  }
  await printList<Schemas['ListedUser']>(users(), options, {
    headings: ['EMPLOYEE ID', 'NAME', 'USERNAME', 'EMAIL', 'PHONE', 'STATUS'],
    row: (user) => [
      user.formerEmployeeID === undefined
        ? user.employeeID
        : `${user.employeeID} (was ${user.formerEmployeeID})`,
      user.name,
      user.username ?? '',
      user.email ?? '',
      user.phone ?? '',
      formatStatus(user),
    ],
    empty: formatNoMatches(options),
    summary: (printed) => formatMatches(printed, total),
  });
  if (!isComplete) printMessage(err.dim(maybeMissing));
}
