import type { FastifyInstance } from 'fastify';
import { BulkCreateReply } from '../../../contract/bulk-report.js';
import { BulkCreate, bulkCreateEcho, createUserFields } from '../../../contract/users.js';
import type { Context } from '../../../domain/context.js';
import { createUsersBulk, previewCreates } from '../../../domain/users/create-users-bulk.js';
import { parseNewUser } from '../../../domain/users/user-rules.js';
import type { LargeBodies } from '../../large-bodies.js';
import { deliverParameter, readHold } from './bulk-parameters.js';
import { bulkRoute } from './bulk-route.js';
import { exampleUser } from './examples.js';

export function createUsersBulkRoute(app: FastifyInstance, context: Context, largeBodies: LargeBodies): void {
  bulkRoute(app, context, largeBodies, {
    kind: 'create-bulk',
    url: '/service/users/create-bulk',
    operationId: 'createUsersBulk',
    summary: 'Create users in bulk',
    description: 'The payload is the submitted item without its password.',
    body: BulkCreate,
    reply: BulkCreateReply,
    example: {
      summary: 'A user, and another one with the same employee ID',
      items: [
        exampleUser,
        { employeeID: 'E1001', name: 'Ada Again', email: 'ada@example.com', isActive: true },
      ],
      taken: 'E1001',
    },
    fields: Object.keys(createUserFields),
    echo: bulkCreateEcho,
    sentFields: Object.keys(createUserFields),
    parameters: deliverParameter,
    options: readHold,
    errors: [],
    detailsOnRequest: false,
    parse: (item, origin) => parseNewUser(item, origin, context.initialPasswords.check),
    employeeIdOf: ({ employeeID }) => employeeID,
    run: (parsed, request) => createUsersBulk(context, parsed, request),
    preview: (context, parsed) => previewCreates(context, parsed),
  });
}
