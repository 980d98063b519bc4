import type { FastifyInstance } from 'fastify';
import { UserListReply } from '../../../contract/users.js';
import { countUsers, exactTotalMax, type Precision, precisions } from '../../../domain/users/count-users.js';
import {
  type Listed,
  type ListRequest,
  listUsers,
  type SortKey,
  sortKeys,
  type UserListContext,
} from '../../../domain/users/list-users.js';
import type { MatchFilters } from '../../../domain/users/matching-users.js';
import { listRoute } from '../../list-route.js';
import {
  choiceParameter,
  flagParameter,
  type GivenValues,
  invalidParameter,
  type ParameterValues,
} from '../../query.js';
import { accepted } from '../../request-rejected.js';
import { givenFilters, readUserFilters, userFilterParameters } from '../../user-filters.js';
import { exampleUserView } from './examples.js';

const sortParameter = choiceParameter(
  sortKeys.flatMap((key) => [key, `-${key}`] as const),
  undefined, // not the same as createdAt: see exactFirst
  'A leading - sorts in descending order. Sorted by createdAt, users never change position, so paging returns every user once, whatever changes meanwhile.',
);

const parameters = {
  sort: { ...sortParameter, schema: { ...sortParameter.schema, default: 'createdAt' } },
  exactFirst: flagParameter(
    'true: users whose complete employee ID is the search come first, whatever the sort order, with or without leading zeros. By default true if `sort` is omitted, and false otherwise.',
    undefined,
  ),
  total: choiceParameter(
    precisions,
    undefined,
    `Adds how many users match. An approximate total is exact up to ${exactTotalMax.toLocaleString('en')} users, and an estimate above.`,
  ),
};

export function listUsersRoute(app: FastifyInstance, context: UserListContext): void {
  listRoute(app, context.database, {
    url: '/service/users',
    scope: 'users:read',
    operationId: 'listUsers',
    summary: 'List and search users',
    description: 'All filters must match. Every page costs the same, however far into the list.',
    tag: 'Users',
    noun: 'Users',
    reply: UserListReply,
    example: exampleUserView,
    examplePage: { isComplete: true },
    parameters,
    rawParameters: userFilterParameters,
    page: (database, page, sent) =>
      listWithTotal(
        { ...context, database },
        { ...orderOf(sent.parameters), filters: filtersIn(sent.values), ...page },
        sent.parameters.total,
      ),
  });
}

async function listWithTotal(
  context: UserListContext,
  request: ListRequest,
  precision: Precision | undefined,
): Promise<Listed> {
  const listed = await listUsers(context, request);
  if (!listed.ok || precision === undefined) return listed;
  return { ...listed, total: accepted(await countUsers(context.database, request.filters, precision)) };
}

/** By default, exact matches come first unless the caller asks for another order. */
function orderOf({ sort, exactFirst = sort === undefined }: ParameterValues<typeof parameters>) {
  const descending = sort?.startsWith('-') ?? false;
  const key = (descending ? sort?.slice(1) : sort) as SortKey | undefined;
  return { sort: key ?? 'createdAt', descending, exactFirst };
}

function filtersIn(sent: GivenValues): MatchFilters {
  const read = readUserFilters(givenFilters(sent));
  if ('problem' in read) throw invalidParameter(read.name, read.problem);
  return read.filters;
}
