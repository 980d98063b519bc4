import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  createScimUser,
  deleteScimUser,
  getScimUser,
  type Provisioned,
  patchScimUser,
  replaceScimUser,
  type ScimUserContext,
} from '../../../domain/scim/users.js';
import { patchOperationsIn } from '../../../scim/bulk/operation.js';
import { versionsIn } from '../../../scim/entity-tags.js';
import { project } from '../../../scim/language/project.js';
import { entityTag } from '../../../scim/user-resource.js';
import { callerOf } from '../../authentication.js';
import type { Query } from '../../query.js';
import { succeeded } from '../../request-rejected.js';
import {
  hidden,
  noteFacts,
  providerRequest,
  rejectRequest,
  requestedAttributes,
  requireMessage,
  type ScimUrl,
  scimBodyConfig,
  scimConfig,
  scimPath,
  sendScim,
} from './scim-request.js';

/** Without an ID at /Me. */
type UserRequest = { Params: { id?: string }; Querystring: Query };

const path = `${scimPath}/Users`;

/** Creates, reads, changes and deletes users as SCIM resources. */
export function scimUserRoutes(app: FastifyInstance, context: ScimUserContext, url: ScimUrl): void {
  const requestOf = (request: FastifyRequest) => providerRequest(request, context.database, url);

  app.post<{ Querystring: Query }>(path, {
    config: scimBodyConfig('create', 'User'),
    schema: hidden,
    handler: async (request, reply) => {
      const wanted = requestedAttributes(request.query);
      const created = succeeded(
        await createScimUser(context, requireMessage(request), await requestOf(request)),
      );
      noteFacts(request, created.user.serial, created.ignored);
      return sendUser(reply, 201, created, wanted);
    },
  });

  // A client is no user, so that there is nothing at /Me for it.
  for (const one of [`${path}/:id`, `${scimPath}/Me`]) {
    app.get<UserRequest>(one, {
      config: scimConfig('get', 'User'),
      schema: hidden,
      handler: async (request, reply) => {
        const wanted = requestedAttributes(request.query);
        const { id } = addressedBy(request);
        const found = succeeded(await getScimUser(context, id, await requestOf(request)));
        const isKnown = versionsIn(request.headers['if-none-match']);
        if (isKnown?.(found.user.version)) {
          return reply.code(304).header('etag', entityTag(found.user.version)).send();
        }
        return sendUser(reply, 200, found, wanted);
      },
    });

    app.put<UserRequest>(one, {
      config: scimBodyConfig('replace', 'User'),
      schema: hidden,
      handler: async (request, reply) => {
        const wanted = requestedAttributes(request.query);
        const body = requireMessage(request);
        const provider = await requestOf(request);
        const replaced = succeeded(await replaceScimUser(context, addressedBy(request), body, provider));
        noteFacts(request, replaced.user.serial, replaced.ignored);
        return sendUser(reply, 200, replaced, wanted);
      },
    });

    app.patch<UserRequest>(one, {
      config: scimBodyConfig('patch', 'User'),
      schema: hidden,
      handler: async (request, reply) => {
        const wanted = requestedAttributes(request.query);
        const operations = operationsIn(request);
        const provider = await requestOf(request);
        const patched = succeeded(await patchScimUser(context, addressedBy(request), operations, provider));
        const isShown = wanted.attributes || wanted.excludedAttributes || provider.provider.kind === 'okta';
        if (isShown) return sendUser(reply, 200, patched, wanted);
        return reply.code(204).header('etag', entityTag(patched.user.version)).send();
      },
    });

    app.delete<UserRequest>(one, {
      config: scimConfig('delete', 'User'),
      schema: hidden,
      handler: async (request, reply) => {
        succeeded(await deleteScimUser(context, addressedBy(request), await requestOf(request)));
        return reply.code(204).send();
      },
    });
  }
}

function addressedBy(request: FastifyRequest<UserRequest>) {
  const { kind, id: actorId } = callerOf(request).actor;
  const { id = kind === 'person' ? actorId : 'Me' } = request.params;
  if (isSerialLike.test(id)) noteFacts(request, id);
  return { id, ifMatch: versionsIn(request.headers['if-match']) };
}

/** Nothing else goes into the log: an ID can be any text. */
const isSerialLike = /^[0-9a-f-]{36}$/i;

/** The operations of a PATCH request. */
export function operationsIn(request: FastifyRequest): readonly unknown[] {
  const operations = patchOperationsIn(requireMessage(request));
  if (operations.ok) return operations.value;
  throw rejectRequest(operations.scimType, operations.detail);
}

function sendUser(
  reply: FastifyReply,
  status: number,
  { resource, user, visible }: Provisioned,
  wanted: ReturnType<typeof requestedAttributes>,
): FastifyReply {
  const { location } = resource.meta as { location: string };
  reply.headers({ etag: entityTag(user.version), location, 'content-location': location });
  return sendScim(reply, status, project(resource, wanted, visible.schema));
}
