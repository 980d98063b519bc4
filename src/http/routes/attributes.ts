import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { inexactNumber } from '../../contract/attribute-rules.js';
import {
  AttributeDeletedReply,
  AttributeListReply,
  AttributeReply,
  attributeView,
  CreateAttribute,
  createAttributeFields,
  PatchAttribute,
  patchAttributeFields,
} from '../../contract/attributes.js';
import { failure } from '../../contract/errors.js';
import { loadAttributes } from '../../domain/attributes/attribute-facts.js';
import {
  type AttributeChange,
  createAttribute,
  getAttribute,
  updateAttribute,
} from '../../domain/attributes/attributes.js';
import type { Database } from '../../domain/database.js';
import { deleteAttribute, previewDeletion } from '../../domain/users/delete-attribute.js';
import type { MatchingContext } from '../../domain/users/update-matching.js';
import { callerOf } from '../authentication.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { countParameter, flagParameter, type Query, querySchema, readParameters } from '../query.js';
import { readBody, requireBody } from '../request-body.js';
import { RequestRejected, succeeded } from '../request-rejected.js';
import { exampleCallId } from './changes/examples.js';

const exampleAttribute = {
  key: 'department',
  type: 'text',
  labels: { en: 'Department', de: 'Abteilung' },
  synonyms: ['Dept'],
  maxLength: 100,
  pattern: null,
  minimum: null,
  maximum: null,
  choices: null,
  isUnique: false,
  isSearchable: false,
  isFilterable: true,
  isSensitive: false,
  isEditableByUser: false,
  isRetired: false,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

const params = Type.Object({
  key: Type.String({ description: 'The key of the attribute.', examples: [exampleAttribute.key] }),
});
type AttributeRequest = { Params: { key: string } };

export function attributeRoutes(app: FastifyInstance, context: MatchingContext): void {
  const { database } = context;
  listAttributesRoute(app, database);
  createAttributeRoute(app, database);
  getAttributeRoute(app, database);
  updateAttributeRoute(app, database);
  deleteAttributeRoute(app, context);
}

function listAttributesRoute(app: FastifyInstance, database: Database): void {
  app.get('/service/attributes', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'listAttributes',
      summary: 'List attributes',
      description: 'All attributes that are defined, in the order in which they were created.',
      tag: 'Attributes',
      secured: true,
      success: {
        status: 200,
        description: 'The attributes.',
        schema: AttributeListReply,
        example: { status: 'success', message: 'Attributes found.', data: { items: [exampleAttribute] } },
      },
      errors: commonErrors,
    }),
    handler: async (_request, reply) => {
      const { all } = await loadAttributes(database.pool);
      return reply.send({
        status: 'success',
        message: 'Attributes found.',
        data: { items: all.map(attributeView) },
      });
    },
  });
}

function createAttributeRoute(app: FastifyInstance, database: Database): void {
  app.post('/service/attributes', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createAttribute',
      summary: 'Create an attribute',
      description:
        'Defines a field of users. Its values are sent and returned in `attributes`, under its key.',
      tag: 'Attributes',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateAttribute,
        examples: {
          text: {
            summary: 'A department',
            value: { key: 'department', type: 'text', labels: { en: 'Department', de: 'Abteilung' } },
          },
          choice: {
            summary: 'A site, one of several',
            value: { key: 'site', type: 'choice', choices: ['Berlin', 'Lyon'], isFilterable: true },
          },
        },
      },
      success: {
        status: 201,
        description: 'The attribute.',
        schema: AttributeReply,
        example: { status: 'success', message: 'Attribute created.', data: exampleAttribute },
        headers: { Location: 'The path of the new attribute.' },
      },
      errors: ['ATTRIBUTE_KEY_EXISTS', 'ATTRIBUTE_TOO_MANY', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readDefinition(request, createAttributeFields) as Parameters<typeof createAttribute>[1];
      const { attribute } = succeeded(await createAttribute(database, given, callerOf(request)));
      return reply
        .code(201)
        .header('location', `/service/attributes/${attribute.key}`)
        .send({ status: 'success', message: 'Attribute created.', data: attributeView(attribute) });
    },
  });
}

function getAttributeRoute(app: FastifyInstance, database: Database): void {
  app.get<AttributeRequest>('/service/attributes/:key', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getAttribute',
      summary: 'Read an attribute',
      description: 'Returns the definition of an attribute.',
      tag: 'Attributes',
      secured: true,
      parameters: { params },
      success: {
        status: 200,
        description: 'The attribute.',
        schema: AttributeReply,
        example: { status: 'success', message: 'Attribute found.', data: exampleAttribute },
      },
      errors: ['ATTRIBUTE_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { attribute } = succeeded(await getAttribute(database, request.params.key));
      return reply.send({ status: 'success', message: 'Attribute found.', data: attributeView(attribute) });
    },
  });
}

function updateAttributeRoute(app: FastifyInstance, database: Database): void {
  app.patch<AttributeRequest>('/service/attributes/:key', {
    config: { scope: 'access:admin', takes: ['application/json', 'application/merge-patch+json'] },
    schema: describeOperation({
      operationId: 'updateAttribute',
      summary: 'Change an attribute',
      description:
        'A JSON merge patch. A new key applies everywhere at once, also to the history. Users keep values that a new limit excludes until they are changed.',
      tag: 'Attributes',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/json', 'application/merge-patch+json'],
        schema: PatchAttribute,
        examples: {
          rename: { summary: 'Another key', value: { key: 'team' } },
          retire: { summary: 'Retire', value: { isRetired: true } },
        },
      },
      success: {
        status: 200,
        description: 'The attribute.',
        schema: AttributeReply,
        example: { status: 'success', message: 'Attribute changed.', data: exampleAttribute },
      },
      errors: ['ATTRIBUTE_NOT_FOUND', 'ATTRIBUTE_KEY_EXISTS', 'ATTRIBUTE_NOT_UNIQUE', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const change = readDefinition(request, patchAttributeFields, { partial: true }) as AttributeChange;
      const { attribute } = succeeded(
        await updateAttribute(database, request.params.key, change, callerOf(request)),
      );
      return reply.send({ status: 'success', message: 'Attribute changed.', data: attributeView(attribute) });
    },
  });
}

const deleteParameters = {
  dryRun: flagParameter('Only says how many users have a value.', false),
  confirm: countParameter('How many users have a value. If the number has changed, nothing is deleted.'),
} as const;

function deleteAttributeRoute(app: FastifyInstance, context: MatchingContext): void {
  app.delete<AttributeRequest & { Querystring: Query }>('/service/attributes/:key', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'deleteAttribute',
      summary: 'Delete an attribute',
      description:
        'If users have a value, it is cleared in a bulk call. Find out how many with dryRun=true, then send their number as confirm. Undoing the call restores the values and the attribute, unless another one has its key by then.',
      tag: 'Attributes',
      secured: true,
      parameters: { params, querystring: querySchema(deleteParameters) },
      success: {
        status: 200,
        description: 'The attribute is no longer defined.',
        schema: AttributeDeletedReply,
        example: {
          status: 'success',
          message: 'Attribute deleted.',
          data: { key: 'department', users: 42, callId: exampleCallId },
        },
      },
      errors: ['ATTRIBUTE_NOT_FOUND', 'ATTRIBUTE_IN_USE', 'REQUEST_PARAMETER_INVALID', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { dryRun, confirm } = readParameters(request.query, deleteParameters);
      const { key } = request.params;
      const { deleted } = succeeded(
        dryRun
          ? await previewDeletion(context, key)
          : await deleteAttribute(context, key, confirm, callerOf(request)),
      );
      const message = dryRun ? 'Attribute found.' : 'Attribute deleted.';
      return reply.send({ status: 'success', message, data: deleted });
    },
  });
}

/** Repeated labels and bounds that are not the same number after parsing would be changed silently. */
const readDefinition: typeof readBody = (request, uses, options) => {
  const given = readBody(request, uses, options);
  const { within, changedNumbers } = requireBody(request);
  if (within('labels')?.repeatedField !== undefined) {
    throw invalid('labels', 'contains a language twice. Send it once.');
  }
  for (const bound of ['minimum', 'maximum']) {
    if (changedNumbers.has(bound)) throw invalid(bound, `${inexactNumber}.`);
  }
  return given;
};

function invalid(field: string, problem: string): RequestRejected {
  return new RequestRejected(failure('REQUEST_BODY_INVALID', `"${field}" ${problem}`, { field }));
}
