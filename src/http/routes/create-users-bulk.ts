import type { FastifyInstance } from 'fastify';
import { BulkCreate, bulkCreateEcho } from '../../contract/users.js';
import type { Context } from '../../domain/context.js';
import { createUsersBulk } from '../../domain/create-users-bulk.js';
import { parseNewUser } from '../../domain/user-rules.js';
import { bulkRoute } from './bulk-route.js';
import { exampleUser } from './examples.js';

export function createUsersBulkRoute(app: FastifyInstance, context: Context): void {
  bulkRoute(app, context, {
    url: '/service/users/create-bulk',
    operationId: 'createUsersBulk',
    summary: 'Create users in bulk',
    description: 'A payload is the submitted item without its password.',
    body: BulkCreate,
    example: {
      summary: 'A user, and another one of the same employee ID',
      items: [
        exampleUser,
        { employeeID: 'E1001', name: 'Ada Again', email: 'ada@example.com', isActive: true },
      ],
      taken: 'E1001',
    },
    echo: bulkCreateEcho,
    parse: parseNewUser,
    run: createUsersBulk,
  });
}
