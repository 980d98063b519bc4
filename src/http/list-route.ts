import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { ErrorName } from '../contract/errors.js';
import type { Scope } from '../contract/scopes.js';
import type { Page, PageRequest } from '../domain/cursor.js';
import { cancelOnDisconnect, type Database } from '../domain/database.js';
import { clientSignal } from './client-signal.js';
import { commonErrors, describeOperation, type Tag } from './openapi.js';
import {
  filterText,
  firstValues,
  type GivenQuery,
  type GivenValues,
  invalidParameter,
  pageParameters,
  type Query,
  readPage,
  readTime,
  readValues,
  timePattern,
} from './query.js';
import { succeeded } from './request-rejected.js';

interface ListOperation<Params, Filters> {
  readonly url: string;
  readonly scope: Scope;
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
  readonly parameters?: Readonly<Record<string, TSchema>>;
  readonly errors?: readonly ErrorName[];
  /** Parameters that can be sent several times. */
  readonly repeatable?: readonly string[];
  filters(query: GivenQuery, params: Params, values: GivenValues): Filters;
  page(database: Database, filters: Filters, page: PageRequest): Promise<Page<unknown>>;
}

/** A paginated list. */
export function listRoute<Params, Filters>(
  app: FastifyInstance,
  database: Database,
  operation: ListOperation<Params, Filters>,
): void {
  const { noun } = operation;
  const parameters = { ...operation.parameters, ...pageParameters };
  const message = `${noun} found.`;
  app.get<{ Querystring: Query }>(operation.url, {
    config: { scope: operation.scope, isSearch: true },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: operation.summary,
      ...(operation.description === undefined ? {} : { description: operation.description }),
      tag: operation.tag,
      secured: true,
      parameters: {
        querystring: Type.Object(parameters),
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
      const values = readValues(request.query, parameters, operation.repeatable ?? []);
      const given = firstValues(values);
      const page = readPage(given);
      const filters = operation.filters(given, request.params as Params, values);
      const listed = succeeded(
        await operation.page(cancelOnDisconnect(database, clientSignal(reply)), filters, page),
      );
      const { ok: _, ...data } = listed;
      return reply.send({ status: 'success', message, data });
    },
  });
}

export const timeParameters = {
  since: filterText('At this time or later.', '2026-11-15T00:00:00Z', timePattern),
  until: filterText('Before this time.', '2026-11-16T00:00:00Z', timePattern),
};

/** The filters present in the query, of those that take any text. */
export function readTexts<Name extends string>(
  given: GivenQuery,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) if (given[name] !== undefined) texts[name] = given[name];
  return texts;
}

export function readTimes(given: GivenQuery): { since?: string; until?: string } {
  const times: { since?: string; until?: string } = {};
  for (const name of ['since', 'until'] as const) {
    if (given[name] === undefined) continue;
    const time = readTime(given[name]);
    if (time === undefined) throw invalidParameter(name, 'must be a time such as 2026-11-15T08:30:00Z.');
    times[name] = time;
  }
  return times;
}
