import type { FastifyInstance } from 'fastify';
import { BulkUpdate, bulkUpdateEcho } from '../../../contract/users.js';
import type { Context } from '../../../domain/context.js';
import { updateUsersBulk } from '../../../domain/users/update-users-bulk.js';
import { parseBulkChange } from '../../../domain/users/user-rules.js';
import { bulkRoute } from './bulk-route.js';

export function updateUsersBulkRoute(app: FastifyInstance, context: Context): void {
  bulkRoute(app, context, {
    url: '/service/users/update-bulk',
    operationId: 'updateUsersBulk',
    summary: 'Update users in bulk',
    description:
      'The first failing check of an item decides its error: its fields, then that the user exists, then that the new employee ID is free, then that the username is free, then that an email or phone remains.',
    body: BulkUpdate,
    example: {
      summary: 'A rename, and one that comes too late',
      items: [
        { employeeID: 'E1001', name: 'Ada King', newEmployeeID: 'E2001', isActive: true },
        { employeeID: 'E1002', name: 'Grace Hopper', newEmployeeID: 'E2001', isActive: true },
      ],
      taken: 'E2001',
    },
    echo: bulkUpdateEcho,
    parse: parseBulkChange,
    parameters: {},
    run: (parsed) => updateUsersBulk(context, parsed),
  });
}
