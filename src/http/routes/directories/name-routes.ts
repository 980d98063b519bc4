import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  RememberNames,
  ResolvedNamesReply,
  ResolveNames,
  rememberNameFields,
  resolveNamesFields,
} from '../../../contract/directories.js';
import { failure } from '../../../contract/errors.js';
import { writtenNameField } from '../../../contract/fields.js';
import { namesMax } from '../../../contract/limits.js';
import type { LimitedDatabase } from '../../../domain/database.js';
import { type NameDecision, rememberNames, resolveNames } from '../../../domain/directories/resolve-names.js';
import { described } from '../../../domain/read-fields.js';
import type { DirectoryContext } from '../../../domain/users/known-serials.js';
import { callerOf } from '../../authentication.js';
import { readBulkItems, tooManyItems } from '../../bulk-items.js';
import { bodyErrors, commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import { fieldsOf, requireList } from '../../request-body.js';
import { accepted, RequestRejected } from '../../request-rejected.js';
import type { Directory } from './directory.js';

export interface NameRouteContext extends LimitedDatabase, DirectoryContext {}

type Resolved = Extract<Awaited<ReturnType<typeof resolveNames>>, readonly unknown[]>;

export function resolveNamesRoute(
  app: FastifyInstance,
  context: NameRouteContext,
  directory: Directory,
): void {
  const { kind, noun, nouns, name } = directory;
  const message = 'Names resolved.';
  app.post(`${directory.url}/resolve-names`, {
    bodyLimit: context.limits.bulkBodyMaxBytes,
    config: { scope: 'users:read', takes: ['application/json'], takesLongList: true, isSearch: true },
    schema: describeOperation({
      operationId: `resolve${name}Names`,
      summary: `Find out which ${nouns} names mean`,
      description: `For files in which people name ${nouns} instead of giving their serials: up to ${namesMax} names, each with the ${noun} that it means, or with those that it may mean. Changes nothing and is safe to retry.`,
      tag: 'Directories',
      secured: true,
      safe: true,
      body: {
        types: ['application/json'],
        schema: ResolveNames,
        examples: {
          names: {
            summary: 'A serial, a name, and one that is not in the directory',
            value: { names: [directory.example.serial, directory.example.displayName, 'Marketing'] },
          },
        },
      },
      success: {
        status: 200,
        description: 'One item for each name, in order.',
        schema: ResolvedNamesReply,
        example: { status: 'success', message, data: exampleData(directory) },
      },
      errors: ['REQUEST_BODY_INVALID', 'REQUEST_TOO_MANY_ITEMS', ...bodyErrors, ...commonErrors],
    }),
    handler: async (request, reply) => {
      const items = accepted(await resolveNames(context.database, kind, await readNames(request)));
      return reply.send({ status: 'success', message, data: replyData(context, items) });
    },
  });
}

export function rememberNamesRoute(
  app: FastifyInstance,
  context: NameRouteContext,
  directory: Directory,
): void {
  const { kind, noun, nouns, name } = directory;
  const message = 'Names remembered.';
  const { serial } = directory.example;
  app.post(`${directory.url}/remember-names`, {
    bodyLimit: context.limits.bulkBodyMaxBytes,
    config: { scope: ['users:write', 'users:read'], takes: ['application/json'], takesLongList: true },
    schema: describeOperation({
      operationId: `remember${name}Names`,
      summary: `Remember which ${nouns} names mean`,
      description: `Decides what names in files mean, for everyone who imports one: a ${noun}, or nothing. A ${noun} that has the name now, or has it as its serial, comes first. Up to ${namesMax} names; if one appears twice, the last decision counts.`,
      tag: 'Directories',
      secured: true,
      body: {
        types: ['application/json'],
        schema: RememberNames,
        examples: {
          two: {
            summary: `A ${noun} by another name, and a name that is left out`,
            value: {
              items: [
                { name: 'Berlin office', serial },
                { name: 'n/a', serial: null },
              ],
            },
          },
        },
      },
      success: {
        status: 200,
        description: 'What the names mean from now on.',
        schema: ResolvedNamesReply,
        example: { status: 'success', message, data: exampleData(directory) },
      },
      errors: ['DIRECTORY_ENTRY_NOT_FOUND', 'REQUEST_TOO_MANY_ITEMS', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const items = accepted(
        await rememberNames(context.database, kind, await readDecisions(request), callerOf(request)),
      );
      return reply.send({ status: 'success', message, data: replyData(context, items) });
    },
  });
}

function replyData({ strictDirectories }: DirectoryContext, items: Resolved) {
  return { items, mayCreate: !strictDirectories };
}

function exampleData({ example: { serial, displayName } }: Directory) {
  const entry = { serial, displayName };
  return {
    items: [
      { name: serial, key: serial.toLowerCase(), match: 'serial', entry, candidates: [] },
      { name: displayName, key: displayName.toLowerCase(), match: 'name', entry, candidates: [] },
      { name: 'Marketing', key: 'marketing', match: 'unknown', entry: null, candidates: [] },
    ],
    mayCreate: true,
  };
}

async function readNames(request: FastifyRequest): Promise<readonly string[]> {
  const body = await requireList(request, { list: 'names', fields: [], elementsMax: namesMax });
  fieldsOf({ value: body.envelope, repeatedField: body.repeatedField }, resolveNamesFields);
  if (body.count > namesMax) throw tooManyItems(body.count, namesMax, 'names');
  const names: string[] = [];
  await body.each((value, { position }) => {
    if (!writtenNameField.accepts(value)) throw invalidName(position, value);
    names.push(value);
  });
  return names;
}

function invalidName(position: number, value: unknown): RequestRejected {
  const got = typeof value === 'string' ? '' : `, not ${described(value)}`;
  const detail = `names[${position}] must be ${writtenNameField.rule}${got}.`;
  return new RequestRejected(failure('REQUEST_BODY_INVALID', detail, { field: 'names', position }));
}

async function readDecisions(request: FastifyRequest): Promise<readonly NameDecision[]> {
  const body = await readBulkItems(request, Object.keys(rememberNameFields), namesMax);
  const decisions: NameDecision[] = [];
  await body.each((value, { position, repeatedField }) => {
    const within = `items[${position}]`;
    const { name, serial, isForgotten } = fieldsOf({ value, repeatedField }, rememberNameFields, { within });
    const isKept = !isForgotten;
    decisions.push({ name: name as string, serial: isKept ? (serial ?? null) : null, isKept });
  });
  return decisions;
}
