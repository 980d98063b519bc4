import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Failure } from '../../../contract/errors.js';
import { UserListReply } from '../../../contract/users.js';
import type { Context } from '../../../domain/context.js';
import { type ListRequest, listUsers, type SortKey, sortKeys } from '../../../domain/users/list-users.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import {
  filterText,
  invalidParameter,
  isFailure,
  pageParameters,
  type Query,
  readChoice,
  readPage,
  readQuery,
} from '../../query.js';
import { exampleUserView } from './examples.js';

const parameters = {
  employeeID: filterText('Exactly this employee ID.', 'E1001'),
  username: filterText('This username, without regard to case.', 'ada'),
  isActive: Type.Optional(Type.Boolean({ description: 'true or false.' })),
  organizationSerial: filterText('Exactly this organization.', 'ORG7'),
  tagSerial: filterText('Users who have this tag.', 'T1'),
  search: filterText(
    'Every word of it begins a word of the name, employee ID, username or email, without regard to case.',
    'ada lov',
  ),
  sort: Type.Optional(
    Type.String({
      enum: sortKeys.flatMap((key) => [key, `-${key}`]),
      default: 'createdAt',
      description:
        'A leading - sorts downwards. In the order of createdAt a user never moves, so pages see everyone once whatever changes meanwhile.',
    }),
  ),
  ...pageParameters,
};

export function listUsersRoute(app: FastifyInstance, context: Context): void {
  app.get<{ Querystring: Query }>('/service/users', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'listUsers',
      summary: 'List and search users',
      description: 'Filters narrow the list together. A page costs the same wherever it is.',
      tag: 'Users',
      secured: true,
      parameters: { querystring: Type.Object(parameters) },
      success: {
        status: 200,
        description: 'A page of users.',
        schema: UserListReply,
        example: {
          status: 'success',
          message: 'Users found.',
          data: { items: [exampleUserView], nextCursor: null },
        },
      },
      errors: ['REQUEST_PARAMETER_INVALID', 'REQUEST_CURSOR_INVALID', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const asked = readRequest(request.query);
      if (isFailure(asked)) return sendFailure(request, reply, asked);
      const listed = await listUsers(context, asked);
      if (!listed.ok) return sendFailure(request, reply, listed.failure);
      const { items, nextCursor } = listed;
      return reply.send({ status: 'success', message: 'Users found.', data: { items, nextCursor } });
    },
  });
}

const textFilters = ['employeeID', 'username', 'organizationSerial', 'tagSerial', 'search'] as const;

function readRequest(query: Query): ListRequest | Failure {
  const given = readQuery(query, parameters);
  if (isFailure(given)) return given;
  const page = readPage(given);
  if (isFailure(page)) return page;
  const isActive = readChoice(given, 'isActive', ['true', 'false']);
  if (isFailure(isActive)) return isActive;
  const { sort = 'createdAt' } = given;
  const descending = sort.startsWith('-');
  const sortKey = (descending ? sort.slice(1) : sort) as SortKey;
  if (!sortKeys.includes(sortKey)) {
    return invalidParameter(
      `"sort" must be one of ${sortKeys.join(', ')}, with a leading - to sort downwards.`,
    );
  }
  const filters: Record<string, string | boolean> = {};
  for (const name of textFilters) if (given[name] !== undefined) filters[name] = given[name];
  // A search field that was emptied searches for nothing, and so narrows nothing.
  if (given.search?.trim() === '') delete filters.search;
  if (isActive !== undefined) filters.isActive = isActive === 'true';
  return { filters, sort: sortKey, descending, ...page };
}
