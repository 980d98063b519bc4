import type { Query, Schemas } from '#client';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  print,
  printJson,
  printList,
  printMessage,
} from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { err } from '../terminal/style.js';
import { type SelectedUsers, type UserFilters, userQuery } from './filters.js';
import { formatStatus } from './format-user.js';
import {
  formatMatches,
  formatNoMatches,
  formatSuggestions,
  maybeMissing,
  type UserTotal,
} from './matches.js';

type ListUsersOptions = SelectedUsers & ListOptions & CountOptions;

/** `rollcall users list` */
export async function listUsers(options: ListUsersOptions): Promise<void> {
  if (options.count) return countUsers(options);
  if (options.approximate) throw new CommandProblem('wrongUse', '--approximate requires --count.');
  const rollcall = connectInteractive();
  const suggest = options.search === undefined ? {} : { suggest: true };
  const query = { ...userQuery(options), ...suggest, limit: pageLimit(options) };
  let total: UserTotal | undefined;
  let suggestions: readonly string[] = [];
  let isComplete = true;
  async function* users() {
    const pages = pagesOf(
      async (page) => (await rollcall.call('listUsers', { query: { ...query, ...page } })).body.data,
      options.all ? undefined : 'approximate', // with --all, the printed users are counted
    );
    for await (const page of pages) {
      total ??= page.total;
      suggestions = page.suggestions ?? suggestions;
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
  if (suggestions.length > 0) printMessage(formatSuggestions(suggestions));
  if (!isComplete) printMessage(err.dim(maybeMissing));
}

interface CountOptions extends JsonOption {
  readonly count?: boolean | undefined;
  readonly approximate?: boolean | undefined;
}

/** `rollcall users list --count` */
async function countUsers(options: UserFilters & CountOptions): Promise<void> {
  const total = options.approximate ? 'approximate' : 'exact';
  const query = { ...userQuery(options), limit: 1, total } as const;
  const { body } = await connectInteractive().call('listUsers', { query });
  const { total: counted } = body.data;
  if (!counted) {
    throw new CommandProblem(
      'unreachable',
      "Attributes are being indexed, so searches can't be counted. Try again in a minute.",
    );
  }
  if (options.json) printJson(counted);
  else print(String(counted.count));
  if (!body.data.isComplete) printMessage(err.dim(maybeMissing));
}

type UserPage = Schemas['UserList']['data'];

type PageQuery = Pick<Query<'listUsers'>, 'cursor' | 'total'>;

/** Reads pages lazily. The total, if wanted, is requested only with the first one. */
export async function* pagesOf(
  read: (query: PageQuery) => Promise<UserPage>,
  total?: PageQuery['total'],
): AsyncGenerator<UserPage, void, void> {
  let query: PageQuery = { total };
  for (;;) {
    const page = await read(query);
    yield page;
    if (page.nextCursor === null) return;
    query = { cursor: page.nextCursor };
  }
}
