import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scimLimits } from '../../../contract/limits.js';
import {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  patchScimGroup,
  replaceScimGroup,
  type ScimGroupContext,
  type ShownGroup,
  type WantedMembers,
} from '../../../domain/scim/groups.js';
import { listScimGroups } from '../../../domain/scim/list-groups.js';
import { isSerial } from '../../../domain/serial.js';
import { versionsIn } from '../../../scim/entity-tags.js';
import { project } from '../../../scim/language/project.js';
import { listResponse, readListQuery, readSearchRequest } from '../../../scim/list-query.js';
import { groupSchema } from '../../../scim/schemas.js';
import { entityTag } from '../../../scim/user-resource.js';
import type { LargeBodies } from '../../large-bodies.js';
import type { Query } from '../../query.js';
import { requireBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import {
  acceptedOutcome,
  hidden,
  noteFacts,
  providerRequest,
  requireMessage,
  type ScimUrl,
  scimBodyConfig,
  scimConfig,
  scimPath,
  sendScim,
} from './scim-request.js';
import { operationsIn } from './users.js';

type GroupRequest = { Params: { id: string }; Querystring: Query };

const path = `${scimPath}/Groups`;

/** Creates, reads, lists, changes and deletes tags as SCIM groups. */
export function scimGroupRoutes(
  app: FastifyInstance,
  context: ScimGroupContext,
  url: ScimUrl,
  largeBodies: LargeBodies,
): void {
  const requestOf = (request: FastifyRequest) => providerRequest(request, context.database, url);
  /** Waits until there is memory for a body that may list many members. */
  const writing = (
    operation: 'create' | 'replace' | 'patch',
    write: (request: FastifyRequest<GroupRequest>, reply: FastifyReply) => Promise<FastifyReply>,
  ) => ({
    config: scimBodyConfig(operation, 'Group'),
    schema: hidden,
    bodyLimit: scimLimits.groupBodyMaxBytes,
    handler: (request: FastifyRequest<GroupRequest>, reply: FastifyReply) =>
      largeBodies.run(requireBody(request).bytes.length, () => write(request, reply)),
  });

  app.post<GroupRequest>(
    path,
    writing('create', async (request, reply) => {
      const wanted = wantedMembers(request);
      const body = requireMessage(request);
      const created = succeeded(await createScimGroup(context, body, wanted, await requestOf(request)));
      noteFacts(request, created.group.serial, created.ignored);
      return sendGroup(reply, 201, created, wanted);
    }),
  );

  app.get<{ Querystring: Query }>(path, {
    config: scimConfig('list', 'Group'),
    schema: hidden,
    handler: async (request, reply) => {
      const query = acceptedOutcome(readListQuery(request.query));
      const { list } = succeeded(await listScimGroups(context, query, await requestOf(request)));
      return sendScim(reply, 200, listResponse(list));
    },
  });

  app.post(`${path}/.search`, {
    config: scimBodyConfig('list', 'Group'),
    schema: hidden,
    handler: async (request, reply) => {
      const query = acceptedOutcome(readSearchRequest(requireMessage(request)));
      const { list } = succeeded(await listScimGroups(context, query, await requestOf(request)));
      return sendScim(reply, 200, listResponse(list));
    },
  });

  // Not 304: others than providers also change members, and that makes no new version.
  app.get<GroupRequest>(`${path}/:id`, {
    config: scimConfig('get', 'Group'),
    schema: hidden,
    handler: async (request, reply) => {
      const wanted = wantedMembers(request);
      const { id } = addressedBy(request);
      const found = succeeded(await getScimGroup(context, id, wanted, await requestOf(request)));
      noteFacts(request, found.group.serial);
      return sendGroup(reply, 200, found, wanted);
    },
  });

  app.put<GroupRequest>(
    `${path}/:id`,
    writing('replace', async (request, reply) => {
      const wanted = wantedMembers(request);
      const body = requireMessage(request);
      const provider = await requestOf(request);
      const replaced = succeeded(
        await replaceScimGroup(context, addressedBy(request), body, wanted, provider),
      );
      noteFacts(request, replaced.group.serial, replaced.ignored);
      return sendGroup(reply, 200, replaced, wanted);
    }),
  );

  app.patch<GroupRequest>(
    `${path}/:id`,
    writing('patch', async (request, reply) => {
      const wanted = wantedMembers(request);
      const operations = operationsIn(request);
      const { attributes, excludedAttributes } = wanted.requested;
      // Members are not read for an answer that nobody has asked for.
      const shown = attributes || excludedAttributes ? wanted : undefined;
      const provider = await requestOf(request);
      const patched = succeeded(
        await patchScimGroup(context, addressedBy(request), operations, shown, provider),
      );
      noteFacts(request, patched.group.serial);
      if (shown) return sendGroup(reply, 200, patched, shown);
      return reply.code(204).header('etag', entityTag(patched.group.version)).send();
    }),
  );

  app.delete<GroupRequest>(`${path}/:id`, {
    config: scimConfig('delete', 'Group'),
    schema: hidden,
    handler: async (request, reply) => {
      const addressed = addressedBy(request);
      succeeded(await deleteScimGroup(context, addressed, await requestOf(request)));
      noteFacts(request, addressed.id);
      return reply.code(204).send();
    },
  });
}

function addressedBy(request: FastifyRequest<GroupRequest>) {
  const { id } = request.params;
  // Unless there is such a group, an ID can be any text, such as an address. None of that goes into the log.
  if (isSerial(id)) noteFacts(request, id);
  return { id, ifMatch: versionsIn(request.headers['if-match']) };
}

/** `startIndex` and `count` page through the members that `attributes` asks for. */
function wantedMembers(request: FastifyRequest<{ Querystring: Query }>): WantedMembers {
  const { requested, paging } = acceptedOutcome(readListQuery(request.query));
  const startIndex = paging.kind === 'index' ? paging.startIndex : 1;
  const { count } = acceptedOutcome(
    readListQuery({ count: scimLimits.groupMembersShownMax, ...request.query }),
  );
  return { requested, startIndex, count: Math.min(count, scimLimits.groupMembersShownMax) };
}

function sendGroup(
  reply: FastifyReply,
  status: number,
  { resource, group, nextMember }: ShownGroup,
  { requested }: WantedMembers,
): FastifyReply {
  const { location } = resource.meta as { location: string };
  reply.headers({ etag: entityTag(group.version), location, 'content-location': location });
  if (nextMember !== undefined) {
    reply.header('link', `<${location}?attributes=members&startIndex=${nextMember}>; rel="next"`);
  }
  return sendScim(reply, status, project(resource, requested, groupSchema));
}
