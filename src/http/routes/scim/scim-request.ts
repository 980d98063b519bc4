import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../domain/context.js';
import type { Database } from '../../../domain/database.js';
import { scimFailure } from '../../../domain/scim/failures.js';
import { providerSettingsOf } from '../../../domain/scim/provider-settings.js';
import type { ProviderRequest } from '../../../domain/scim/resource-facts.js';
import { scimError } from '../../../scim/error-body.js';
import { isObject, type JsonObject } from '../../../scim/language/json.js';
import { failed, type Outcome } from '../../../scim/language/outcome.js';
import type { RequestedAttributes } from '../../../scim/language/project.js';
import { readRequestedAttributes } from '../../../scim/list-query.js';
import { defaultSettings } from '../../../scim/provider-settings.js';
import { callerOf } from '../../authentication.js';
import { requireBody } from '../../request-body.js';
import { scimType } from '../../request-headers.js';
import { RequestRejected } from '../../request-rejected.js';
import type { ScimRoute } from '../../types.js';

export const scimPath = '/scim/v2';

const endpoints = ['Users', 'Groups', 'Bulk', 'Me', 'Schemas', 'ResourceTypes', 'ServiceProviderConfig'];
const endpointPath = new RegExp(`^${scimPath}/(${endpoints.join('|')})(?=[/?]|$)`, 'i');

/** Microsoft's tests spell some endpoints in lower case. */
export function withScimSpelling(url: string): string {
  const [, sent] = endpointPath.exec(url) ?? [];
  const endpoint = endpoints.find((each) => each.toLowerCase() === sent?.toLowerCase());
  return endpoint === undefined ? url : url.replace(endpointPath, `${scimPath}/${endpoint}`);
}

/** What all routes of SCIM have in common. Their API is described by `/Schemas`, not by OpenAPI. */
export function scimConfig(
  operation: ScimRoute['operation'],
  resourceType: ScimRoute['resourceType'] = null,
) {
  return { scope: 'scim', scim: { operation, resourceType } } as const satisfies FastifyContextConfig;
}

export function scimBodyConfig(
  operation: ScimRoute['operation'],
  resourceType: ScimRoute['resourceType'] = null,
) {
  return {
    ...scimConfig(operation, resourceType),
    takes: [scimType, 'application/json'],
    takesLists: true,
  } as const;
}

export const hidden = { hide: true } as const;

/** Of the service as its callers know it. Read late: a port that the system chose is known only once it listens. */
export interface ScimUrl {
  readonly issuer: string;
}

export async function providerRequest(
  request: FastifyRequest,
  database: Database,
  { issuer }: ScimUrl,
): Promise<ProviderRequest> {
  const caller = callerOf(request);
  const { kind, id } = caller.actor;
  const provider = kind === 'client' ? await providerSettingsOf(database, id) : defaultSettings(id);
  return { provider, caller, baseUrl: `${issuer}${scimPath}` };
}

export function sendScim(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type(scimType).send(JSON.stringify(body));
}

/** Notes what the log of the provider's requests says about this one. */
export function noteFacts(
  request: FastifyRequest,
  resourceId: string | undefined,
  ignored: readonly string[] = [],
): void {
  request.scimFacts = { ...(resourceId !== undefined && { resourceId }), ignored };
}

/** Records what a provider has requested, without personal data. */
export function recordScimRequests(
  app: FastifyInstance,
  { scimRequests }: Pick<Context, 'scimRequests'>,
): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.config.scim;
    const { actor, scimFacts: facts = {} } = request;
    if (!route || actor?.kind !== 'client') return;
    scimRequests.record({
      clientId: actor.id,
      ...route,
      resourceId: facts.resourceId ?? null,
      status: reply.statusCode,
      scimType: facts.failure ? (scimError(facts.failure).scimType ?? null) : null,
      error: facts.failure?.error ?? null,
      ignoredAttributes: facts.ignored ?? [],
      durationMs: Math.round(reply.elapsedTime),
    });
  });
}

export function rejectRequest(...[type, detail]: Parameters<typeof failed>): RequestRejected {
  return new RequestRejected(scimFailure(failed(type, detail)));
}

/** The body, which must be an object. */
export function requireMessage(request: FastifyRequest): JsonObject {
  const { value } = requireBody(request);
  if (!isObject(value)) throw rejectRequest('invalidSyntax', 'The body must be a JSON object.');
  return value;
}

export function acceptedOutcome<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw rejectRequest(outcome.scimType, outcome.detail);
}

/** `attributes` and `excludedAttributes`, of which only one may be sent. */
export function requestedAttributes(query: JsonObject): RequestedAttributes {
  return acceptedOutcome(readRequestedAttributes(query));
}
