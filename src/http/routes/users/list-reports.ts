import type { FastifyInstance } from 'fastify';
import { ReportListReply } from '../../../contract/users.js';
import { showUsers } from '../../../domain/attributes/show-users.js';
import type { Database } from '../../../domain/database.js';
import { listReports } from '../../../domain/users/list-reports.js';
import { listRoute } from '../../list-route.js';
import { flagParameter } from '../../query.js';
import { exampleUserView } from './examples.js';
import { serialParameter } from './get-user.js';

/** Who reports to a user. */
export function listReportsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/users/:serial/reports',
    scope: 'users:read',
    operationId: 'listReports',
    summary: 'List the reports of a user',
    description: 'The users whose manager this user is, in the order of their serials.',
    tag: 'Users',
    noun: 'Users',
    reply: ReportListReply,
    example: { ...exampleUserView, reports: { count: 12, isExact: true } },
    params: serialParameter,
    parameters: {
      all: flagParameter('Also those who report to the user through others.', false),
    },
    errors: ['USER_NOT_FOUND', 'USER_ERASED'],
    page: async (database, page, { params, parameters, actor }) => {
      const { serial } = params as { serial: string };
      const listed = await listReports(database, serial, parameters.all, page);
      return listed.ok ? { ...listed, items: await showUsers(database.pool, listed.items, actor) } : listed;
    },
  });
}
