import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { ErrorName } from '../contract/errors.js';
import type { Actor } from '../domain/caller.js';
import type { Page, PageRequest } from '../domain/cursor.js';
import { cancelOnDisconnect, type Database } from '../domain/database.js';
import { actorOf } from './authentication.js';
import { clientSignal } from './client-signal.js';
import { commonErrors, describeOperation, type Tag } from './openapi.js';
import {
  firstValues,
  type GivenValues,
  type Parameters,
  type ParameterValues,
  pageParameters,
  type Query,
  readPage,
  readValues,
  schemasOf,
  timeParameter,
  valuesOf,
} from './query.js';
import { succeeded } from './request-rejected.js';

interface ListOperation<Params, P extends Parameters> {
  readonly url: string;
  readonly scope: NonNullable<FastifyContextConfig['scope']>;
  readonly usersOnly?: boolean;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /** What the list contains, as in "Users found." */
  readonly noun: string;
  readonly reply: TSchema;
  readonly example: object;
  /** What the example has besides a page. */
  readonly examplePage?: object;
  readonly params?: TSchema;
  readonly parameters?: P;
  /** Parameters that the page reads itself, with all their values. */
  readonly rawParameters?: Readonly<Record<string, TSchema>>;
  /** The same for parameters whose names begin with this one and a dot. OpenAPI describes them as an object. */
  readonly dottedParameters?: { readonly name: string; readonly schema: TSchema };
  readonly errors?: readonly ErrorName[];
  page(database: Database, page: PageRequest, sent: Sent<Params, P>): Promise<Page<unknown>>;
}

interface Sent<Params, P extends Parameters> {
  readonly params: Params;
  readonly parameters: ParameterValues<P>;
  readonly values: GivenValues;
  readonly actor: Actor;
}

/** A paginated list. */
export function listRoute<Params, P extends Parameters = Parameters>(
  app: FastifyInstance,
  database: Database,
  operation: ListOperation<Params, P>,
): void {
  const { noun } = operation;
  const own = operation.parameters ?? ({} as P);
  const { rawParameters = {}, dottedParameters: dotted } = operation;
  const schemas = { ...rawParameters, ...schemasOf(own), ...pageParameters };
  const documented = dotted ? { ...schemas, [dotted.name]: Type.Optional(dotted.schema) } : schemas;
  const message = `${noun} found.`;
  app.get<{ Querystring: Query }>(operation.url, {
    config: { scope: operation.scope, isSearch: true, usersOnly: operation.usersOnly === true },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: operation.summary,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      tag: operation.tag,
      secured: true,
      parameters: {
        querystring: Type.Object(documented),
        ...(operation.params === undefined ? {} : { params: operation.params }),
      },
      success: {
        status: 200,
        description: `A page of ${noun.charAt(0).toLowerCase()}${noun.slice(1)}.`,
        schema: operation.reply,
        example: {
          status: 'success',
          message,
          data: { items: [operation.example], nextCursor: null, ...operation.examplePage },
        },
      },
      errors: [
        ...(operation.errors ?? []),
        'REQUEST_PARAMETER_INVALID',
        'REQUEST_CURSOR_INVALID',
        ...commonErrors,
      ],
    }),
    handler: async (request, reply) => {
      const values = readValues(request.query, schemas, {
        repeatable: Object.keys(rawParameters),
        prefix: dotted && `${dotted.name}.`,
      });
      const given = firstValues(values);
      const connected = cancelOnDisconnect(database, clientSignal(reply));
      const sent = {
        params: request.params as Params,
        parameters: valuesOf(given, own),
        values,
        actor: actorOf(request),
      };
      const listed = succeeded(await operation.page(connected, readPage(given), sent));
      const { ok: _, ...data } = listed;
      return reply.send({ status: 'success', message, data });
    },
  });
}

export const timeParameters = {
  since: timeParameter('At this time or later.', '2026-11-15T00:00:00Z'),
  until: timeParameter('Before this time.', '2026-11-16T00:00:00Z'),
};
