import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LimitedDatabase } from '../../../domain/database.js';
import { listScimUsers } from '../../../domain/scim/list-users.js';
import { searchResources } from '../../../domain/scim/search-resources.js';
import { listResponse, readListQuery, readSearchRequest } from '../../../scim/list-query.js';
import type { Query } from '../../query.js';
import { succeeded } from '../../request-rejected.js';
import {
  acceptedOutcome,
  hidden,
  providerRequest,
  requireMessage,
  type ScimUrl,
  scimBodyConfig,
  scimConfig,
  scimPath,
  sendScim,
} from './scim-request.js';

/** Lists users, and searches all resources. */
export function scimListRoutes(app: FastifyInstance, context: LimitedDatabase, url: ScimUrl): void {
  app.get<{ Querystring: Query }>(`${scimPath}/Users`, {
    config: scimConfig('list', 'User'),
    schema: hidden,
    handler: async (request, reply) => {
      const query = acceptedOutcome(readListQuery(request.query));
      return sendList(
        reply,
        await listScimUsers(context, query, await providerRequest(request, context.database, url)),
      );
    },
  });

  for (const { path, type, list } of [
    { path: `${scimPath}/Users/.search`, type: 'User', list: listScimUsers },
    { path: `${scimPath}/.search`, type: null, list: searchResources },
  ] as const) {
    app.post(path, {
      config: scimBodyConfig('list', type),
      schema: hidden,
      handler: async (request, reply) => {
        const query = acceptedOutcome(readSearchRequest(requireMessage(request)));
        return sendList(
          reply,
          await list(context, query, await providerRequest(request, context.database, url)),
        );
      },
    });
  }
}

function sendList(reply: FastifyReply, result: Awaited<ReturnType<typeof listScimUsers>>): FastifyReply {
  return sendScim(reply, 200, listResponse(succeeded(result).list));
}
