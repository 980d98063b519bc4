import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import {
  type DirectoryKind,
  MergeSerial,
  mergeSerialFields,
  OrganizationListReply,
  OrganizationReply,
  organizationFields,
  PutOrganization,
  PutTag,
  RenameSerial,
  renameSerialFields,
  TagListReply,
  TagReply,
  tagFields,
} from '../../../contract/directories.js';
import { failure } from '../../../contract/errors.js';
import { serialReferenceField } from '../../../contract/fields.js';
import { success } from '../../../contract/shapes.js';
import type { Context } from '../../../domain/context.js';
import { deleteEntry } from '../../../domain/directories/delete-entry.js';
import { getEntry } from '../../../domain/directories/get-entry.js';
import { listDirectory } from '../../../domain/directories/list-directory.js';
import { putEntry } from '../../../domain/directories/put-entry.js';
import { mergeUpdate, renameUpdate } from '../../../domain/directories/replace-serial.js';
import { sendFailure } from '../../error-replies.js';
import { listRoute } from '../../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import { filterText, isFailure } from '../../query.js';
import { readBody } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';
import { matchingRoute } from '../users/matching-route.js';

/** The words and schemas in which the two directories differ. */
interface Directory {
  readonly kind: DirectoryKind;
  readonly url: string;
  readonly noun: string;
  readonly nouns: string;
  /** In operation IDs: getOrganization, listOrganizations. */
  readonly name: string;
  readonly names: string;
  readonly listReply: TSchema;
  readonly reply: TSchema;
  readonly body: TSchema;
  readonly fields: typeof organizationFields | typeof tagFields;
  readonly example: object;
  readonly exampleBody: object;
}

const organizations: Directory = {
  kind: 'organizations',
  url: '/service/organizations',
  noun: 'organization',
  nouns: 'organizations',
  name: 'Organization',
  names: 'Organizations',
  listReply: OrganizationListReply,
  reply: OrganizationReply,
  body: PutOrganization,
  fields: organizationFields,
  example: {
    serial: 'ORG7',
    displayName: 'Sales, Berlin',
    parentSerial: 'ORG1',
    users: { total: 42, active: 40 },
  },
  exampleBody: { displayName: 'Sales, Berlin', parentSerial: 'ORG1' },
};

const tags: Directory = {
  kind: 'tags',
  url: '/service/tags',
  noun: 'tag',
  nouns: 'tags',
  name: 'Tag',
  names: 'Tags',
  listReply: TagListReply,
  reply: TagReply,
  body: PutTag,
  fields: tagFields,
  example: { serial: 'T1', displayName: 'First aiders', users: { total: 42, active: 40 } },
  exampleBody: { displayName: 'First aiders' },
};

export function directoryRoutes(app: FastifyInstance, context: Context): void {
  for (const directory of [organizations, tags]) {
    listEntriesRoute(app, context, directory);
    getEntryRoute(app, context, directory);
    putEntryRoute(app, context, directory);
    deleteEntryRoute(app, context, directory);
    renameRoute(app, context, directory);
    mergeRoute(app, context, directory);
  }
}

const params = Type.Object({ serial: serialReferenceField.schema });
type EntryRequest = { Params: { serial: string } };

function listEntriesRoute(app: FastifyInstance, context: Context, directory: Directory): void {
  const { kind, nouns, names } = directory;
  listRoute(app, context, {
    url: directory.url,
    scope: 'users:read',
    operationId: `list${names}`,
    summary: `List ${nouns}`,
    description: `Every serial that a user has or had, and every one that was given a display name, sorted by serial. The numbers of users are current.`,
    tag: 'Directories',
    noun: names,
    reply: directory.listReply,
    example: directory.example,
    parameters: {
      search: filterText('Parts of the serial or the display name, ignoring case and accents.', 'ber'),
    },
    filters: ({ search }) => ({ search }),
    page: (context, { search }, page) => listDirectory(context, kind, search, page),
  });
}

function getEntryRoute(app: FastifyInstance, context: Context, directory: Directory): void {
  const { kind, noun, name } = directory;
  app.get<EntryRequest>(`${directory.url}/:serial`, {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: `get${name}`,
      summary: `Get ${noun === 'organization' ? 'an' : 'a'} ${noun}`,
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
      const entry = await getEntry(context, kind, request.params.serial);
      if (isFailure(entry)) return sendFailure(request, reply, entry);
      return reply.send({ status: 'success', message: `${name} found.`, data: entry });
    },
  });
}

function putEntryRoute(app: FastifyInstance, context: Context, directory: Directory): void {
  const { kind, noun, name } = directory;
  app.put<EntryRequest>(`${directory.url}/:serial`, {
    // The reply contains numbers of users.
    config: { scope: ['users:write', 'users:read'], takes: ['application/json'] },
    schema: describeOperation({
      operationId: `put${name}`,
      summary: `Describe ${noun === 'organization' ? 'an' : 'a'} ${noun}`,
      description: `Sets the display name${kind === 'organizations' ? ' and the parent' : ''}. The serial need not be in the directory yet.`,
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
      const entry = await putEntry(context, kind, serial, { displayName, parentSerial });
      if (isFailure(entry)) return sendFailure(request, reply, entry);
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

function deleteEntryRoute(app: FastifyInstance, context: Context, directory: Directory): void {
  const { kind, noun, name } = directory;
  const schema = success(`${name}Deleted`, Type.Object({ serial: serialReferenceField.schema }));
  app.delete<EntryRequest>(`${directory.url}/:serial`, {
    config: { scope: 'users:write' },
    schema: describeOperation({
      operationId: `delete${name}`,
      summary: `Remove ${noun === 'organization' ? 'an' : 'a'} ${noun} from the directory`,
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
      const problem = await deleteEntry(context, kind, serial);
      if (problem) return sendFailure(request, reply, problem);
      return reply.send({ status: 'success', message: `${name} deleted.`, data: { serial } });
    },
  });
}

/** Below the URL of a directory, an action would hide the entry of the same name. */
const actionsUrl = '/service/directories';

const callNote =
  'This is a bulk call: preview it with dryRun=true, then send it with the number of users as confirm. An undo gives the users their former serial back; names and parents in the directory stay.';

function renameRoute(app: FastifyInstance, context: Context, directory: Directory): void {
  const { kind, noun, name } = directory;
  matchingRoute(app, context, {
    url: `${actionsUrl}/${kind}/rename`,
    operationId: `rename${name}`,
    summary: `Change the serial of ${noun === 'organization' ? 'an' : 'a'} ${noun}`,
    description: `Gives every user of the ${noun} the new serial, which takes over the display name. If the call is interrupted, repeat it to change the remaining users. ${callNote}`,
    tag: 'Directories',
    body: RenameSerial,
    examples: { rename: { summary: 'A new serial', value: { serial: 'ORG7', newSerial: 'ORG70' } } },
    errors: ['DIRECTORY_ENTRY_NOT_FOUND', 'DIRECTORY_ENTRY_EXISTS'],
    update: (request) => {
      const { serial, newSerial } = readBody(request, renameSerialFields);
      return renameUpdate(context, kind, { from: serial as string, to: newSerial as string });
    },
  });
}

function mergeRoute(app: FastifyInstance, context: Context, directory: Directory): void {
  const { kind, nouns, name, noun } = directory;
  matchingRoute(app, context, {
    url: `${actionsUrl}/${kind}/merge`,
    operationId: `merge${name}`,
    summary: `Merge two ${nouns}`,
    description: `Gives every user of one ${noun} the other one instead. ${callNote}`,
    tag: 'Directories',
    body: MergeSerial,
    examples: { merge: { summary: 'Two into one', value: { serial: 'ORG8', into: 'ORG7' } } },
    errors: ['DIRECTORY_ENTRY_NOT_FOUND'],
    update: (request) => {
      const { serial, into } = readBody(request, mergeSerialFields);
      return mergeUpdate(context, kind, { from: serial as string, to: into as string });
    },
  });
}
