import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ChangeListReply } from '../../../contract/changes.js';
import { changeKinds, loggedFields } from '../../../contract/enums.js';
import { listChanges, userHistory } from '../../../domain/changes/list-changes.js';
import type { Database } from '../../../domain/database.js';
import { listRoute, readTexts, readTimes, timeParameters } from '../../list-route.js';
import { filterText, requireChoice } from '../../query.js';
import { exampleSerial } from '../users/examples.js';
import { serialParameter } from '../users/get-user.js';
import { exampleCallId, exampleChange } from './examples.js';

export function listChangesRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/changes',
    scope: 'audit:read',
    operationId: 'listChanges',
    summary: 'List changes',
    description: 'Newest first, with who made them. To follow the log as it grows, use GET /service/events.',
    tag: 'Changes',
    noun: 'Changes',
    reply: ChangeListReply,
    example: exampleChange,
    parameters: {
      userSerial: filterText('Changes of this user.', exampleSerial),
      actorId: filterText('Changes made by this client, user or external subject.', 'client-1f2e3d4c5b6a'),
      callId: filterText('Changes made by this bulk call.', exampleCallId),
      kind: Type.Optional(Type.String({ enum: [...changeKinds] })),
      field: Type.Optional(Type.String({ enum: [...loggedFields], description: 'Changes of this field.' })),
      ...timeParameters,
    },
    filters: (given) => {
      requireChoice(given, 'kind', changeKinds);
      requireChoice(given, 'field', loggedFields);
      return {
        ...readTexts(given, ['userSerial', 'actorId', 'callId', 'kind', 'field']),
        ...readTimes(given),
      };
    },
    page: (database, filters, page) => listChanges(database, filters, page),
  });
}

export function userHistoryRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/users/:serial/history',
    scope: 'audit:read',
    operationId: 'userHistory',
    summary: 'Read the history of a user',
    description: 'Newest first. Includes users that an undo removed.',
    tag: 'Changes',
    noun: 'Changes',
    reply: ChangeListReply,
    example: exampleChange,
    params: serialParameter,
    errors: ['USER_NOT_FOUND'],
    filters: (_given, { serial }: { serial: string }) => serial,
    page: (database, serial, page) => userHistory(database, serial, page),
  });
}
