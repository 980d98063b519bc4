import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { directorySorts } from '../../../contract/directories.js';
import { failure } from '../../../contract/errors.js';
import { serialReferenceField } from '../../../contract/fields.js';
import { success } from '../../../contract/shapes.js';
import type { ChangeContext } from '../../../domain/changes/follower.js';
import type { Database } from '../../../domain/database.js';
import {
  type DirectoryListContext,
  deleteEntry,
  getEntry,
  listDirectory,
  putEntry,
} from '../../../domain/directories/entries.js';
import { callerOf } from '../../authentication.js';
import { listRoute } from '../../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import { choiceParameter, flagParameter, textParameter } from '../../query.js';
import { readBody } from '../../request-body.js';
import { accepted, RequestRejected } from '../../request-rejected.js';
import type { Directory } from './directory.js';

const params = Type.Object({ serial: serialReferenceField.schema });
type EntryRequest = { Params: { serial: string } };

const hierarchyParameters = {
  parentSerial: textParameter('Only the direct parts of this organization.', 'ORG1'),
  isTopLevel: flagParameter(
    'true: only organizations that are not part of another one in the directory.',
    false,
  ),
  includeParts: flagParameter(
    'true: adds `usersWithParts`, the number of users of each organization and of all organizations that are part of it.',
    false,
  ),
  includeParents: flagParameter(
    'true: adds `parents`, the organizations that each one is part of, from the top.',
    false,
  ),
};

export function listEntriesRoute(
  app: FastifyInstance,
  context: DirectoryListContext,
  directory: Directory,
): void {
  const { kind, nouns, names } = directory;
  listRoute(app, context.database, {
    url: directory.url,
    scope: 'users:read',
    operationId: `list${names}`,
    summary: `List ${nouns}`,
    description:
      'Every serial that a user has, and every one that a user had or that was added, unless it was renamed or removed since, or only a call that was undone has brought it. With current user counts.',
    tag: 'Directories',
    noun: names,
    reply: directory.listReply,
    example: directory.example,
    parameters: {
      search: textParameter(
        'Parts of the serial or the display name, ignoring case and accents: "munchen" and "muenchen" find München.',
        'ber',
      ),
      sort: choiceParameter(
        directorySorts,
        'serial',
        '`name`: in the order of display names, then those without one. Upper and lower case and accents matter only for names that are otherwise equal.',
      ),
      ...(kind === 'organizations' && hierarchyParameters),
    },
    page: (database, page, { parameters }) => listDirectory({ ...context, database }, kind, parameters, page),
  });
}

export function getEntryRoute(app: FastifyInstance, database: Database, directory: Directory): void {
  const { kind, noun, name, aNoun } = directory;
  app.get<EntryRequest>(`${directory.url}/:serial`, {
    config: { endsWithAnyText: true, scope: 'users:read' },
    schema: describeOperation({
      operationId: `get${name}`,
      summary: `Get ${aNoun}`,
      description: `Returns the display name of ${aNoun}, its place in the directory, and how many users have it.`,
      tag: 'Directories',
      secured: true,
      parameters: { params },
      success: {
        status: 200,
        description: `The ${noun}.`,
        schema: directory.reply,
        example: { status: 'success', message: `${name} found.`, data: directory.example },
      },
      errors: ['DIRECTORY_ENTRY_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const entry = accepted(await getEntry(database, kind, request.params.serial));
      return reply.send({ status: 'success', message: `${name} found.`, data: entry });
    },
  });
}

export function putEntryRoute(app: FastifyInstance, database: Database, directory: Directory): void {
  const { kind, noun, name, aNoun } = directory;
  app.put<EntryRequest>(`${directory.url}/:serial`, {
    // The reply contains numbers of users.
    config: { endsWithAnyText: true, scope: ['users:write', 'users:read'], takes: ['application/json'] },
    schema: describeOperation({
      operationId: `put${name}`,
      summary: `Set ${aNoun}'s name${kind === 'organizations' ? ' and parent' : ''}`,
      description: `Sets the display name${kind === 'organizations' ? ' and the parent' : ''}. A new serial is added to the directory.`,
      tag: 'Directories',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/json'],
        schema: directory.body,
        examples: { name: { summary: `Name the ${noun}`, value: directory.exampleBody } },
      },
      success: {
        status: 200,
        description: `The ${noun}.`,
        schema: directory.reply,
        example: { status: 'success', message: `${name} updated.`, data: directory.example },
      },
      errors: writeErrors,
    }),
    handler: async (request, reply) => {
      const { serial } = request.params;
      requireSerial(serial);
      const fields: { displayName?: string | null; parentSerial?: string | null } = readBody(
        request,
        directory.fields,
      );
      const { displayName = null, parentSerial = null } = fields;
      const entry = accepted(
        await putEntry(database, kind, serial, { displayName, parentSerial }, callerOf(request)),
      );
      return reply.send({ status: 'success', message: `${name} updated.`, data: entry });
    },
  });
}

function requireSerial(serial: string): void {
  if (serialReferenceField.accepts(serial)) return;
  throw new RequestRejected(
    failure('REQUEST_PARAMETER_INVALID', `"serial" must be ${serialReferenceField.rule}.`, {
      parameter: 'serial',
    }),
  );
}

export function deleteEntryRoute(app: FastifyInstance, context: ChangeContext, directory: Directory): void {
  const { kind, name, aNoun } = directory;
  const schema = success(`${name}Deleted`, Type.Object({ serial: serialReferenceField.schema }));
  app.delete<EntryRequest>(`${directory.url}/:serial`, {
    config: { endsWithAnyText: true, scope: ['users:write', 'users:read'] },
    schema: describeOperation({
      operationId: `delete${name}`,
      summary: `Remove ${aNoun} from the directory`,
      description: `Only if no user has it. A user who gets the serial later brings it back.`,
      tag: 'Directories',
      secured: true,
      parameters: { params },
      success: {
        status: 200,
        description: 'It is no longer in the directory.',
        schema,
        example: { status: 'success', message: `${name} deleted.`, data: { serial: 'ORG7' } },
      },
      errors: [
        'DIRECTORY_ENTRY_NOT_FOUND',
        'DIRECTORY_ENTRY_IN_USE',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const { serial } = request.params;
      const problem = await deleteEntry(context, kind, serial, callerOf(request));
      if (problem) throw new RequestRejected(problem);
      return reply.send({ status: 'success', message: `${name} deleted.`, data: { serial } });
    },
  });
}
