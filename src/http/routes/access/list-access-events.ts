import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AccessEventListReply, accessEventKinds } from '../../../contract/access-events.js';
import type { Failure } from '../../../contract/errors.js';
import { type AccessEventFilters, listAccessEvents } from '../../../domain/access/list-access-events.js';
import type { Context } from '../../../domain/context.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import {
  filterText,
  type GivenQuery,
  invalidParameter,
  isFailure,
  pageParameters,
  type Query,
  readChoice,
  readPage,
  readQuery,
  readTime,
} from '../../query.js';
import { exampleSerial } from '../users/examples.js';

const parameters = {
  kind: Type.Optional(Type.String({ enum: [...accessEventKinds] })),
  userSerial: filterText('Events about this user.', exampleSerial),
  clientId: filterText('Events about this client.', 'client-1f2e3d4c5b6a'),
  actorId: filterText('What this client, person or outside subject did.', 'client-1f2e3d4c5b6a'),
  since: filterText('At this time or later.', '2026-11-15T00:00:00Z'),
  until: filterText('Before this time.', '2026-11-16T00:00:00Z'),
  ...pageParameters,
};

export function listAccessEventsRoute(app: FastifyInstance, context: Context): void {
  app.get<{ Querystring: Query }>('/service/access-events', {
    config: { scope: 'audit:read' },
    schema: describeOperation({
      operationId: 'listAccessEvents',
      summary: 'Read who got in, who did not, and who changed access',
      description: 'The newest first. Never holds a secret, nor what was typed as a name that nobody has.',
      tag: 'Access',
      secured: true,
      parameters: { querystring: Type.Object(parameters) },
      success: {
        status: 200,
        description: 'A page of events.',
        schema: AccessEventListReply,
        example: {
          status: 'success',
          message: 'Access events found.',
          data: {
            items: [
              {
                id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5c',
                at: '2026-11-15T08:30:00.000Z',
                kind: 'sign-in.failed',
                actor: null,
                userSerial: exampleSerial,
                clientId: null,
                address: '192.0.2.7',
                requestId: 'b1c2…',
                detail: {},
              },
            ],
            nextCursor: null,
          },
        },
      },
      errors: ['REQUEST_PARAMETER_INVALID', 'REQUEST_CURSOR_INVALID', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const given = readQuery(request.query, parameters);
      if (isFailure(given)) return sendFailure(request, reply, given);
      const page = readPage(given);
      if (isFailure(page)) return sendFailure(request, reply, page);
      const filters = readFilters(given);
      if (isFailure(filters)) return sendFailure(request, reply, filters);
      const listed = await listAccessEvents(context, filters, page);
      if (!listed.ok) return sendFailure(request, reply, listed.failure);
      const { items, nextCursor } = listed;
      return reply.send({ status: 'success', message: 'Access events found.', data: { items, nextCursor } });
    },
  });
}

function readFilters(given: GivenQuery): AccessEventFilters | Failure {
  const kind = readChoice(given, 'kind', accessEventKinds);
  if (isFailure(kind)) return kind;
  const filters: Record<string, string> = kind === undefined ? {} : { kind };
  for (const name of ['userSerial', 'clientId', 'actorId'] as const) {
    if (given[name] !== undefined) filters[name] = given[name];
  }
  for (const name of ['since', 'until'] as const) {
    if (given[name] === undefined) continue;
    const time = readTime(given[name]);
    if (time === undefined) return invalidParameter(`"${name}" must be a time like 2026-11-15T08:30:00Z.`);
    filters[name] = time;
  }
  return filters;
}
