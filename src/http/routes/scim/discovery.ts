import type { FastifyInstance } from 'fastify';
import { failure } from '../../../contract/errors.js';
import { scimLimits } from '../../../contract/limits.js';
import type { LimitedDatabase } from '../../../domain/database.js';
import { noResource } from '../../../domain/scim/failures.js';
import { visibleSchema } from '../../../domain/scim/resource-facts.js';
import { resourceTypes, schemas, serviceProviderConfig } from '../../../scim/discovery.js';
import type { JsonObject } from '../../../scim/language/json.js';
import { listResponse } from '../../../scim/list-query.js';
import { messageField } from '../../../scim/message.js';
import { callerOf } from '../../authentication.js';
import type { Query } from '../../query.js';
import { RequestRejected } from '../../request-rejected.js';
import { hidden, type ScimUrl, scimConfig, scimPath, sendScim } from './scim-request.js';

/** Tells clients what the service supports, and which attributes resources have. */
export function scimDiscoveryRoutes(
  app: FastifyInstance,
  { database, limits }: LimitedDatabase,
  url: ScimUrl,
): void {
  const baseUrl = () => `${url.issuer}${scimPath}`;

  app.get(`${scimPath}/ServiceProviderConfig`, {
    config: scimConfig('discover'),
    schema: hidden,
    handler: (_request, reply) =>
      sendScim(
        reply,
        200,
        serviceProviderConfig(baseUrl(), {
          ...scimLimits,
          bulkOperationsMax: limits.bulkItemsMax,
          bulkPayloadMaxBytes: limits.bulkBodyMaxBytes,
        }),
      ),
  });

  const listed: Readonly<Record<string, typeof schemas>> = { ResourceTypes: resourceTypes, Schemas: schemas };
  for (const [name, list] of Object.entries(listed)) {
    app.get<{ Querystring: Query }>(`${scimPath}/${name}`, {
      config: scimConfig('discover'),
      schema: hidden,
      handler: async (request, reply) => {
        // RFC 7644, section 4: a filter must not be ignored here.
        if (messageField(request.query, 'filter') !== undefined) throw rejectFilter();
        const { company } = await visibleSchema(database.pool, callerOf(request));
        const resources = list(baseUrl(), company);
        const all = { resources, totalResults: resources.length, startIndex: 1 };
        return sendScim(reply, 200, listResponse(all));
      },
    });
    app.get<{ Params: { id: string } }>(`${scimPath}/${name}/:id`, {
      config: scimConfig('discover'),
      schema: hidden,
      handler: async (request, reply) => {
        const { company } = await visibleSchema(database.pool, callerOf(request));
        const { id } = request.params;
        const isMeant = (each: JsonObject) => String(each.id).toLowerCase() === id.toLowerCase();
        const found = list(baseUrl(), company).find(isMeant);
        if (!found) throw new RequestRejected(noResource(name === 'Schemas' ? 'Schema' : 'ResourceType', id));
        return sendScim(reply, 200, found);
      },
    });
  }
}

/** With 403, as RFC 7644, section 4, says. */
function rejectFilter(): RequestRejected {
  return new RequestRejected(failure('SCIM_FILTER_FORBIDDEN', 'These resources cannot be filtered.'));
}
