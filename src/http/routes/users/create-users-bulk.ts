import type { FastifyInstance } from 'fastify';
import { BulkCreateReply } from '../../../contract/bulk-report.js';
import { fieldsEchoedIn } from '../../../contract/user-values.js';
import { BulkCreate, createUserFields } from '../../../contract/users.js';
import {
  type BulkCreateContext,
  createUsersBulk,
  previewCreates,
} from '../../../domain/users/create-users-bulk.js';
import { type InitialPasswordRules, parseNewUser } from '../../../domain/users/user-rules.js';
import type { LargeBodies } from '../../large-bodies.js';
import { createOptions, createParameters } from './bulk-parameters.js';
import { type BulkRouteContext, bulkRoute } from './bulk-route.js';
import { exampleUser } from './examples.js';

export interface CreateRouteContext extends BulkRouteContext, BulkCreateContext, InitialPasswordRules {}

export function createUsersBulkRoute(
  app: FastifyInstance,
  context: CreateRouteContext,
  largeBodies: LargeBodies,
): void {
  bulkRoute(app, context, largeBodies, {
    url: '/service/users/create-bulk',
    operationId: 'createUsersBulk',
    summary: 'Create users in bulk',
    description:
      'The payload is the submitted item without its password. With rehire=true, an active item whose employee ID belongs to an inactive user reactivates that user: the fields of the item replace all others, and absent ones are emptied; the user keeps the serial and gets a new password.',
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
    echo: fieldsEchoedIn('create'),
    sentFields: Object.keys(createUserFields),
    parameters: createParameters,
    options: createOptions,
    errors: [],
    isInContract: false,
    parse: (item, origin, _options, attributes) =>
      parseNewUser(item, origin, context.initialPasswordCheck, attributes),
    planned: { kind: 'create-bulk', employeeIdOf: ({ employeeID }) => employeeID },
    run: (items, request) => createUsersBulk(context, items, request),
    preview: (database, parsed, options) => previewCreates({ ...context, database }, parsed, options),
  });
}
