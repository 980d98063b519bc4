import type { FastifyInstance } from 'fastify';
import { ChangeListReply } from '../../../contract/changes.js';
import { userHistory } from '../../../domain/changes/list-changes.js';
import type { Context } from '../../../domain/context.js';
import { listRoute } from '../../list-route.js';
import { serialParameter } from '../users/get-user.js';
import { exampleChange } from './examples.js';

export function userHistoryRoute(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
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
    page: (context, serial, page) => userHistory(context, serial, page),
  });
}
