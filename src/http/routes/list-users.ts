import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Failure, failure } from '../../contract/errors.js';
import { fieldLimits, pageLimitDefault, pageLimitMax } from '../../contract/limits.js';
import { UserListReply } from '../../contract/users.js';
import type { Context } from '../../domain/context.js';
import { type ListRequest, listUsers, type SortKey, sortKeys } from '../../domain/list-users.js';
import { quoted } from '../../domain/user-rules.js';
import { sendFailure } from '../error-replies.js';
import { commonErrors, describeOperation } from '../openapi.js';
import { exampleUserView } from './examples.js';

const filterText = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: fieldLimits.searchMaxLength, description, examples: [example] }));

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
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault })),
  cursor: Type.Optional(Type.String({ description: 'The nextCursor of the page before.' })),
};

type Query = Record<string, unknown>;

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
      const query = readQuery(request.query);
      if ('error' in query) return sendFailure(request, reply, query);
      const listed = await listUsers(context, query);
      if (!listed.ok) return sendFailure(request, reply, listed.failure);
      const { items, nextCursor } = listed;
      return reply.send({ status: 'success', message: 'Users found.', data: { items, nextCursor } });
    },
  });
}

const textFilters = ['employeeID', 'username', 'organizationSerial', 'tagSerial', 'search'] as const;

function readQuery(query: Query): ListRequest | Failure {
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(parameters, name)) {
      return invalid(`"${quoted(name)}" is not known; the list takes ${Object.keys(parameters).join(', ')}.`);
    }
    if (typeof value !== 'string') return invalid(`"${name}" is given more than once.`);
    if (value.includes('\u0000')) return invalid(`"${name}" holds a NUL character.`);
    if (value.length > fieldLimits.searchMaxLength && name !== 'cursor') {
      return invalid(`"${name}" may have at most ${fieldLimits.searchMaxLength} characters.`);
    }
  }
  const given = query as Record<string, string | undefined>;
  const { isActive, sort = 'createdAt', limit = String(pageLimitDefault), cursor } = given;
  if (isActive !== undefined && isActive !== 'true' && isActive !== 'false') {
    return invalid('"isActive" must be true or false.');
  }
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > pageLimitMax) {
    return invalid(`"limit" must be a whole number from 1 to ${pageLimitMax}.`);
  }
  const descending = sort.startsWith('-');
  const sortKey = (descending ? sort.slice(1) : sort) as SortKey;
  if (!sortKeys.includes(sortKey)) {
    return invalid(`"sort" must be one of ${sortKeys.join(', ')}, with a leading - to sort downwards.`);
  }
  const filters: Record<string, string | boolean> = {};
  for (const name of textFilters) if (given[name] !== undefined) filters[name] = given[name];
  // A search field that was emptied searches for nothing, and so narrows nothing.
  if (given.search?.trim() === '') delete filters.search;
  if (isActive !== undefined) filters.isActive = isActive === 'true';
  return { filters, sort: sortKey, descending, limit: Number(limit), cursor };
}

function invalid(detail: string): Failure {
  return failure('REQUEST_PARAMETER_INVALID', detail);
}
