import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../../../contract/errors.js';
import { isWithin } from '../../../contract/fields.js';
import { lookupTextMaxLength } from '../../../contract/limits.js';
import { LookupReply, LookupUsers, lookupFields } from '../../../contract/users.js';
import { cancelOnDisconnect } from '../../../domain/cancel-on-disconnect.js';
import type { Context } from '../../../domain/context.js';
import { described } from '../../../domain/read-fields.js';
import { type LookupBatch, lookupUsers } from '../../../domain/users/lookup-users.js';
import { yieldToEventLoop } from '../../../domain/yield-to-event-loop.js';
import { tooManyItems } from '../../bulk-items.js';
import { clientSignal } from '../../client-signal.js';
import type { LargeBodies } from '../../large-bodies.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { fieldsOf, requireBody, requireList } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';
import { exampleUserView } from './examples.js';

const message = 'Users looked up.';

export function lookupUsersRoute(app: FastifyInstance, context: Context, largeBodies: LargeBodies): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  app.post('/service/users/lookup', {
    bodyLimit: bulkBodyMaxBytes,
    config: { scope: 'users:read', takes: ['application/json'], takesLongList: true, isSearch: true },
    schema: describeOperation({
      operationId: 'lookupUsers',
      summary: 'Look up users by employee ID',
      description: `Up to ${bulkItemsMax} employee IDs, compared exactly, read in one snapshot. Changes nothing and is safe to retry.`,
      tag: 'Users',
      secured: true,
      safe: true,
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
      errors: ['REQUEST_BODY_INVALID', 'REQUEST_TOO_MANY_ITEMS', ...bodyErrors, ...commonErrors],
    }),
    handler: (request, reply) =>
      largeBodies.run(requireBody(request).bytes.length, async () => {
        const found = replyInPieces();
        const employeeIDs = await readEmployeeIds(request, bulkItemsMax);
        await lookupUsers(cancelOnDisconnect(context, clientSignal(reply)), employeeIDs, found.note);
        return found.send(reply);
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
function replyInPieces() {
  const users: Buffer[] = [];
  const notFound: Buffer[] = [];
  const add = (pieces: Buffer[], list: readonly unknown[]) =>
    pieces.push(Buffer.from(`${pieces.length > 0 ? ',' : ''}${JSON.stringify(list).slice(1, -1)}`));
  return {
    note: async (part: LookupBatch): Promise<void> => {
      for (let at = 0; at < part.users.length; at += usersAtOnce) {
        await yieldToEventLoop();
        add(users, part.users.slice(at, at + usersAtOnce));
      }
      if (part.notFound.length > 0) add(notFound, part.notFound);
    },
    send: (reply: FastifyReply): FastifyReply => {
      const head = `{"status":"success","message":"${message}","data":{"items":[`;
      const pieces = [
        Buffer.from(head),
        ...users,
        Buffer.from('],"notFound":['),
        ...notFound,
        Buffer.from(']}}'),
      ];
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
      return reply
        .type('application/json; charset=utf-8')
        .header('content-length', bytes)
        .send(Readable.from(pieces, { objectMode: false }));
    },
  };
}
