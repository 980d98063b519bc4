import type { FastifyInstance } from 'fastify';
import { ChangeListReply } from '../../../contract/changes.js';
import { changeKinds, loggedFields } from '../../../contract/enums.js';
import { showChanges } from '../../../domain/attributes/show-users.js';
import type { Actor } from '../../../domain/caller.js';
import { listChanges, userHistory } from '../../../domain/changes/list-changes.js';
import type { Database } from '../../../domain/database.js';
import { listRoute, timeParameters } from '../../list-route.js';
import { choiceParameter, textParameter } from '../../query.js';
import { exampleSerial } from '../users/examples.js';
import { serialParameter } from '../users/get-user.js';
import { exampleCallId, exampleChange } from './examples.js';

/** What changed. */
export const changeParameters = {
  kind: choiceParameter(changeKinds, undefined),
  field: choiceParameter(loggedFields, undefined, 'Changes of this field.'),
  organizationSerial: textParameter(
    'Changes of users who are in this organization, or moved into or out of it.',
    'ORG-7',
  ),
};

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
      userSerial: textParameter('Changes of this user.', exampleSerial),
      actorId: textParameter('Changes made by this client, user or external subject.', 'client-1f2e3d4c5b6a'),
      callId: textParameter('Changes made by this bulk call.', exampleCallId),
      ...changeParameters,
      ...timeParameters,
    },
    page: async (database, page, { parameters, actor }) =>
      shownPage(database, await listChanges(database, parameters, page), actor),
  });
}

export function userHistoryRoute(app: FastifyInstance, database: Database): void {
  listRoute<{ serial: string }>(app, database, {
    url: '/service/users/:serial/history',
    // Whoever corrects users sees what they were before.
    scope: { oneOf: [['audit:read'], ['users:read', 'users:write']] },
    operationId: 'userHistory',
    summary: 'Read the history of a user',
    description: 'Newest first. Includes users that an undo removed.',
    tag: 'Changes',
    noun: 'Changes',
    reply: ChangeListReply,
    example: exampleChange,
    params: serialParameter,
    errors: ['USER_NOT_FOUND'],
    page: async (database, page, { params, actor }) =>
      shownPage(database, await userHistory(database, params.serial, page), actor),
  });
}

/** Attributes are shown by key. */
async function shownPage(
  database: Database,
  page: Awaited<ReturnType<typeof userHistory>>,
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<typeof page> {
  return page.ok ? { ...page, items: await showChanges(database.pool, page.items, actor) } : page;
}
