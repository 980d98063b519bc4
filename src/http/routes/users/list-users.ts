import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Failure } from '../../../contract/errors.js';
import { UserListReply } from '../../../contract/users.js';
import type { Context } from '../../../domain/context.js';
import { type ListRequest, listUsers, type SortKey, sortKeys } from '../../../domain/users/list-users.js';
import { listRoute, readTexts } from '../../list-route.js';
import { filterText, type GivenQuery, invalidParameter, isFailure, readChoice } from '../../query.js';
import { exampleUserView } from './examples.js';

const parameters = {
  employeeID: filterText('Exactly this employee ID.', 'E1001'),
  username: filterText('This username, ignoring case.', 'ada'),
  isActive: Type.Optional(Type.Boolean({ description: 'true or false.' })),
  organizationSerial: filterText('Exactly this organization.', 'ORG7'),
  tagSerial: filterText('Users who have this tag.', 'T1'),
  search: filterText(
    'Each word must match the beginning of a word in the name, employee ID, username or email, ignoring case.',
    'ada lov',
  ),
  sort: Type.Optional(
    Type.String({
      enum: sortKeys.flatMap((key) => [key, `-${key}`]),
      default: 'createdAt',
      description:
        'A leading - sorts in descending order. Sorted by createdAt, users never change position, so paging returns every user once, whatever changes meanwhile.',
    }),
  ),
};

export function listUsersRoute(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
    url: '/service/users',
    scope: 'users:read',
    operationId: 'listUsers',
    summary: 'List and search users',
    description: 'All filters must match. Every page costs the same, however far into the list.',
    tag: 'Users',
    noun: 'Users',
    reply: UserListReply,
    example: exampleUserView,
    parameters,
    filters: readOrder,
    page: (context, order, page) => listUsers(context, { ...order, ...page }),
  });
}

function readOrder(given: GivenQuery): Omit<ListRequest, 'limit' | 'cursor'> | Failure {
  const isActive = readChoice(given, 'isActive', ['true', 'false']);
  if (isFailure(isActive)) return isActive;
  const { sort = 'createdAt' } = given;
  const descending = sort.startsWith('-');
  const sortKey = (descending ? sort.slice(1) : sort) as SortKey;
  if (!sortKeys.includes(sortKey)) {
    return invalidParameter(
      'sort',
      `must be one of ${sortKeys.join(', ')}. Add a leading - for descending order.`,
    );
  }
  const texts = readTexts(given, ['employeeID', 'username', 'organizationSerial', 'tagSerial', 'search']);
  // An empty search does not filter.
  if (given.search?.trim() === '') delete texts.search;
  const filters = isActive === undefined ? texts : { ...texts, isActive: isActive === 'true' };
  return { filters, sort: sortKey, descending };
}
