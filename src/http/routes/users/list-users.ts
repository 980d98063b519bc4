import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { UserListReply } from '../../../contract/users.js';
import type { PageRequest } from '../../../domain/cursor.js';
import { countUsers, exactTotalMax, type Precision, precisions } from '../../../domain/users/count-users.js';
import {
  type Listed,
  type ListRequest,
  listUsers,
  type SortKey,
  sortKeys,
  type UserListContext,
} from '../../../domain/users/list-users.js';
import { listRoute } from '../../list-route.js';
import { type GivenQuery, type GivenValues, invalidParameter, readChoice, readFlag } from '../../query.js';
import { accepted } from '../../request-rejected.js';
import {
  givenFilters,
  readUserFilters,
  repeatableFilters,
  userFilterParameters,
} from '../../user-filters.js';
import { exampleUserView } from './examples.js';

const parameters = {
  ...userFilterParameters,
  sort: Type.Optional(
    Type.String({
      enum: sortKeys.flatMap((key) => [key, `-${key}`]),
      default: 'createdAt',
      description:
        'A leading - sorts in descending order. Sorted by createdAt, users never change position, so paging returns every user once, whatever changes meanwhile.',
    }),
  ),
  exactFirst: Type.Optional(
    Type.Boolean({
      description:
        'true: users whose complete employee ID is the search come first, whatever the sort order, with or without leading zeros. By default true if `sort` is omitted, and false otherwise.',
    }),
  ),
  total: Type.Optional(
    Type.String({
      enum: [...precisions],
      description: `Adds how many users match. An approximate total is exact up to ${exactTotalMax.toLocaleString('en')} users, and an estimate above.`,
    }),
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
    repeatable: repeatableFilters,
    filters: (given, _, values) => readOrder(given, values),
    page: (database, order: Order, page) => listWithTotal({ ...context, database }, order, page),
  });
}

interface Order extends Omit<ListRequest, 'limit' | 'cursor'> {
  readonly total: Precision | undefined;
}

async function listWithTotal(
  context: UserListContext,
  { total: precision, ...order }: Order,
  page: PageRequest,
): Promise<Listed> {
  const listed = await listUsers(context, { ...order, ...page });
  if (!listed.ok || precision === undefined) return listed;
  return { ...listed, total: accepted(await countUsers(context.database, order.filters, precision)) };
}

function readOrder(given: GivenQuery, values: GivenValues): Order {
  const { sort = 'createdAt' } = given;
  const descending = sort.startsWith('-');
  const sortKey = (descending ? sort.slice(1) : sort) as SortKey;
  if (!sortKeys.includes(sortKey)) {
    throw invalidParameter(
      'sort',
      `must be one of ${sortKeys.join(', ')}. Add a leading - for descending order.`,
    );
  }
  const read = readUserFilters(givenFilters(values));
  if ('problem' in read) throw invalidParameter(read.name, read.problem);
  const exactFirst = readExactFirst(given);
  const total = readChoice(given, 'total', precisions);
  return { filters: read.filters, sort: sortKey, descending, exactFirst, total };
}

/** By default, exact matches come first unless the caller asks for another order. */
function readExactFirst(given: GivenQuery): boolean {
  return readFlag(given, 'exactFirst') ?? given.sort === undefined;
}
