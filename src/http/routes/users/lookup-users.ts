import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isWithin } from '../../../contract/code-points.js';
import { failure } from '../../../contract/errors.js';
import { lookupTextMaxLength } from '../../../contract/limits.js';
import { LookupReply, LookupUsers, lookupFields } from '../../../contract/users.js';
import { type Showing, showingTo } from '../../../domain/attributes/show-users.js';
import { cancelOnDisconnect, type LimitedDatabase } from '../../../domain/database.js';
import { described } from '../../../domain/read-fields.js';
import { type LookupBatch, lookupUsers } from '../../../domain/users/lookup-users.js';
import { yieldToEventLoop } from '../../../domain/yield-to-event-loop.js';
import { callerOf } from '../../authentication.js';
import { tooManyItems } from '../../bulk-items.js';
import { clientSignal } from '../../client-signal.js';
import { sendFailure } from '../../error-replies.js';
import type { LargeBodies } from '../../large-bodies.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { type Query, querySchema, readParameters, timeParameter } from '../../query.js';
import { fieldsOf, requireBody, requireList } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';
import { asOfParameter } from './bulk-parameters.js';
import { exampleUserView } from './examples.js';

const message = 'Users looked up.';
const parameters = {
  asOf: asOfParameter,
  changedSince: timeParameter(
    'Also returns which of the employee IDs meant another user at this time, for example when a file was written.',
  ),
};

export function lookupUsersRoute(
  app: FastifyInstance,
  context: LimitedDatabase,
  largeBodies: LargeBodies,
): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  app.post<{ Querystring: Query }>('/service/users/lookup', {
    bodyLimit: bulkBodyMaxBytes,
    config: { scope: 'users:read', takes: ['application/json'], takesLongList: true, isSearch: true },
    schema: describeOperation({
      operationId: 'lookupUsers',
      summary: 'Look up users by employee ID',
      description: `Up to ${bulkItemsMax} employee IDs, compared exactly, read in one snapshot. Changes nothing and is safe to retry.`,
      tag: 'Users',
      secured: true,
      safe: true,
      parameters: { querystring: querySchema(parameters) },
      body: {
        types: ['application/json'],
        schema: LookupUsers,
        examples: {
          two: {
            summary: 'One that exists, and one that does not',
            value: { employeeIDs: ['E1001', 'E9999'] },
          },
        },
      },
      success: {
        status: 200,
        description: 'The users found, and the employee IDs that no user has.',
        schema: LookupReply,
        example: { status: 'success', message, data: { items: [exampleUserView], notFound: ['E9999'] } },
      },
      errors: [
        'REQUEST_PARAMETER_INVALID',
        'REQUEST_BODY_INVALID',
        'REQUEST_TOO_MANY_ITEMS',
        ...bodyErrors,
        ...commonErrors,
      ],
    }),
    handler: (request, reply) =>
      largeBodies.run(requireBody(request).bytes.length, async () => {
        const { asOf, changedSince } = readParameters(request.query, parameters);
        const showing = await showingTo(context.database.pool, callerOf(request).actor);
        const found = replyInPieces(changedSince !== undefined, showing);
        const employeeIDs = await readEmployeeIds(request, bulkItemsMax);
        const connected = {
          ...context,
          database: cancelOnDisconnect(context.database, clientSignal(reply)),
        };
        const failed = await lookupUsers(connected, employeeIDs, { asOf, changedSince }, found.note);
        return failed ? sendFailure(request, reply, failed) : found.send(reply);
      }),
  });
}

async function readEmployeeIds(request: FastifyRequest, itemsMax: number): Promise<readonly string[]> {
  const body = await requireList(request, { list: 'employeeIDs', fields: [], elementsMax: itemsMax });
  fieldsOf({ value: body.envelope, repeatedField: body.repeatedField }, lookupFields);
  if (body.count > itemsMax) throw tooManyItems(body.count, itemsMax, 'employee IDs');
  const asked: string[] = [];
  await body.each((value, { position }) => asked.push(employeeIdText(value, position)));
  return asked;
}

/**
 * Any text may be looked up, and is not found if it is no employee ID. Its length is limited because it is returned.
 */
function employeeIdText(value: unknown, position: number): string {
  if (typeof value !== 'string') {
    throw invalidElement(position, `must be a string, but is ${described(value)}.`);
  }
  if (!isWithin(value, lookupTextMaxLength)) {
    throw invalidElement(position, `must not exceed ${lookupTextMaxLength} characters.`);
  }
  return value;
}

function invalidElement(position: number, problem: string): RequestRejected {
  const detail = `employeeIDs[${position}] ${problem}`;
  return new RequestRejected(failure('REQUEST_BODY_INVALID', detail, { field: 'employeeIDs', position }));
}

/** A user with a hundred long tags takes 7 KB. Serializing this many such users takes a few milliseconds. */
const usersAtOnce = 250;

/** A reply may have tens of megabytes. It is written batch by batch and never concatenated. */
function replyInPieces(withReassigned: boolean, showing: Showing) {
  const users: Buffer[] = [];
  const notFound: Buffer[] = [];
  const reassigned: string[] = [];
  const add = (pieces: Buffer[], list: readonly unknown[]) =>
    pieces.push(Buffer.from(`${pieces.length > 0 ? ',' : ''}${JSON.stringify(list).slice(1, -1)}`));
  return {
    note: async (part: LookupBatch): Promise<void> => {
      for (let at = 0; at < part.users.length; at += usersAtOnce) {
        await yieldToEventLoop();
        add(users, await showing.users(part.users.slice(at, at + usersAtOnce)));
      }
      if (part.notFound.length > 0) add(notFound, part.notFound);
      reassigned.push(...part.reassigned);
    },
    send: (reply: FastifyReply): FastifyReply => {
      const head = `{"status":"success","message":"${message}","data":{"items":[`;
      const pieces = [
        Buffer.from(head),
        ...users,
        Buffer.from('],"notFound":['),
        ...notFound,
        Buffer.from(`]${withReassigned ? `,"reassigned":${JSON.stringify(reassigned)}` : ''}}}`),
      ];
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
      return reply
        .type('application/json; charset=utf-8')
        .header('content-length', bytes)
        .send(Readable.from(pieces, { objectMode: false }));
    },
  };
}
