import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Result } from '../../../domain/result.js';
import {
  type BulkOutcome,
  type GroupOperations,
  runScimBulk,
  type ScimBulkContext,
} from '../../../domain/scim/bulk.js';
import {
  createScimGroup,
  deleteScimGroup,
  patchScimGroup,
  replaceScimGroup,
  type ScimGroupContext,
  type ShownGroup,
} from '../../../domain/scim/groups.js';
import type { ProviderRequest } from '../../../domain/scim/resource-facts.js';
import { scimError } from '../../../scim/error-body.js';
import type { ProviderSettings } from '../../../scim/provider-settings.js';
import { urns } from '../../../scim/schemas.js';
import { entityTag } from '../../../scim/user-resource.js';
import type { LargeBodies } from '../../large-bodies.js';
import { requireBody } from '../../request-body.js';
import { readScimBulkBody, type ScimBulkBody } from '../../scim-bulk-body.js';
import {
  hidden,
  noteFacts,
  providerRequest,
  type ScimUrl,
  scimBodyConfig,
  scimPath,
  sendScim,
} from './scim-request.js';

/** Processes many operations in one request (RFC 7644, section 3.7). */
export function scimBulkRoute(
  app: FastifyInstance,
  context: ScimBulkContext & ScimGroupContext,
  url: ScimUrl,
  largeBodies: LargeBodies,
): void {
  const { bulkBodyMaxBytes, bulkItemsMax, bodyMaxBytes } = context.limits;
  app.post(`${scimPath}/Bulk`, {
    bodyLimit: bulkBodyMaxBytes,
    config: { ...scimBodyConfig('bulk'), takesLongList: true },
    schema: hidden,
    handler: (request, reply) =>
      largeBodies.run(requireBody(request).bytes.length, () => handle(request, reply)),
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const body = await readScimBulkBody(requireBody(request).bytes, {
      operationsMax: bulkItemsMax,
      operationMaxBytes: bodyMaxBytes,
    });
    const { failOnErrors } = body;
    const provider = await providerRequest(request, context.database, url);
    const { outcomes, ignored } = await runScimBulk(context, body.operations(), provider, {
      ...{ failOnErrors, groups: groupOperations(context), source: sources[provider.provider.kind] },
    });
    noteFacts(request, undefined, ignored);
    const operations = outcomes.flatMap((outcome, position) =>
      outcome ? [operationReply(outcome, body, position, provider)] : [],
    );
    return sendScim(reply, 200, { schemas: [urns.bulkResponse], Operations: operations });
  }
}

const sources: Readonly<Record<ProviderSettings['kind'], string>> = {
  okta: 'SCIM (Okta)',
  entra: 'SCIM (Microsoft Entra ID)',
  other: 'SCIM',
};

/** The response shows no members. */
const noMembers = {
  requested: { attributes: undefined, excludedAttributes: undefined },
  startIndex: 1,
  count: 0,
} as const;

function groupOperations(context: ScimGroupContext): GroupOperations {
  const written = (result: Result<ShownGroup>) =>
    result.ok ? { ok: true as const, id: result.group.serial, version: result.group.version } : result;
  return {
    create: async (data, request) => written(await createScimGroup(context, data, noMembers, request)),
    replace: async (addressed, data, request) =>
      written(await replaceScimGroup(context, addressed, data, noMembers, request)),
    patch: async (addressed, operations, request) =>
      written(await patchScimGroup(context, addressed, operations, undefined, request)),
    remove: (addressed, request) => deleteScimGroup(context, addressed, request),
  };
}

const statuses = { POST: '201', PUT: '200', PATCH: '200', DELETE: '204' } as const;

function operationReply(
  outcome: BulkOutcome,
  body: ScimBulkBody,
  position: number,
  { baseUrl }: ProviderRequest,
): object {
  const { method, bulkId } = body.sent[position] ?? {};
  const sent = { ...(method !== undefined && { method }), ...(bulkId !== undefined && { bulkId }) };
  const locationOf = (resourceType: 'User' | 'Group', id: string) =>
    `${baseUrl}/${resourceType}s/${encodeURIComponent(id)}`;
  if (!outcome.ok) {
    const { operation, failure } = outcome;
    const { status, body: response } = scimError(failure);
    const id = operation?.id;
    const isKnown = operation && id !== undefined && !/^bulkId:/i.test(id);
    return {
      ...sent,
      ...(isKnown && { location: locationOf(operation.resourceType, id) }),
      status: String(status),
      response,
    };
  }
  const { resourceType, id, version } = outcome;
  return {
    ...sent,
    location: locationOf(resourceType, id),
    ...(version !== undefined && { version: entityTag(version) }),
    status: statuses[outcome.method],
  };
}
