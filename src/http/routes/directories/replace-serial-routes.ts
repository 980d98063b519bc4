import type { FastifyInstance } from 'fastify';
import {
  type DirectoryKind,
  MergeSerial,
  mergeSerialFields,
  RenameSerial,
  renameSerialFields,
} from '../../../contract/directories.js';
import { mergeUpdate, renameUpdate } from '../../../domain/directories/replace-serial.js';
import { readBody } from '../../request-body.js';
import { accepted } from '../../request-rejected.js';
import { type MatchingRouteContext, matchingRoute } from '../users/matching-route.js';
import type { Directory } from './directory.js';

const callNote =
  'This is a bulk call: preview it with dryRun=true, then send it with the number of users as confirm.';

const mergeDescriptions = {
  organizations: 'Moves all users of one organization to another.',
  tags: 'Replaces a tag with another for all users who have it.',
} as const;

function whatMoves(kind: DirectoryKind): string {
  return kind === 'organizations'
    ? 'its display name, its parent and the organizations that are part of it'
    : 'its display name';
}

export function renameRoute(app: FastifyInstance, context: MatchingRouteContext, directory: Directory): void {
  const { kind, noun, name, aNoun } = directory;
  const { serial } = directory.example;
  matchingRoute(app, context, {
    url: `${directory.url}/rename`,
    operationId: `rename${name}`,
    summary: `Change the serial of ${aNoun}`,
    description: `Gives every user of the ${noun} the new serial, which takes over ${whatMoves(kind)}. The old serial leaves the directory. If the call is interrupted, repeat it to change the remaining users. ${callNote} An undo moves the users and the entry back, unless the old serial is in the directory again. If no user has the ${noun}, there is nothing to undo: rename it back.`,
    tag: 'Directories',
    body: RenameSerial,
    examples: { rename: { summary: 'A new serial', value: { serial, newSerial: `${serial}0` } } },
    errors: ['DIRECTORY_ENTRY_NOT_FOUND', 'DIRECTORY_ENTRY_EXISTS'],
    update: async (request) => {
      const body = readBody(request, renameSerialFields);
      const serials = { from: body.serial as string, to: body.newSerial as string };
      return accepted(await renameUpdate(context.database, kind, serials));
    },
  });
}

export function mergeRoute(app: FastifyInstance, context: MatchingRouteContext, directory: Directory): void {
  const { kind, nouns, name } = directory;
  const { serial } = directory.example;
  matchingRoute(app, context, {
    url: `${directory.url}/merge`,
    operationId: `merge${name}`,
    summary: `Merge two ${nouns}`,
    description: `${mergeDescriptions[kind]} ${callNote} An undo gives the users their former serial back. The directory keeps both entries.`,
    tag: 'Directories',
    body: MergeSerial,
    examples: { merge: { summary: 'Two into one', value: { serial: `${serial}0`, into: serial } } },
    errors: ['DIRECTORY_ENTRY_NOT_FOUND'],
    update: async (request) => {
      const body = readBody(request, mergeSerialFields);
      const serials = { from: body.serial as string, to: body.into as string };
      return accepted(await mergeUpdate(context.database, kind, serials));
    },
  });
}
