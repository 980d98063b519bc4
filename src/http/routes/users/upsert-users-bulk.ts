import type { FastifyInstance } from 'fastify';
import { BulkUpsertReply } from '../../../contract/bulk-report.js';
import { fieldsEchoedIn } from '../../../contract/user-values.js';
import { BulkUpsert, bulkUpsertFields } from '../../../contract/users.js';
import {
  type BulkChangeContext,
  previewUpdates,
  upsertUsersBulk,
} from '../../../domain/users/update-users-bulk.js';
import { type InitialPasswordRules, parseUpsert } from '../../../domain/users/user-rules.js';
import type { LargeBodies } from '../../large-bodies.js';
import { flagParameter } from '../../query.js';
import { changeOptions, changeParameters, createOptions, createParameters } from './bulk-parameters.js';
import { type BulkRouteContext, bulkRoute } from './bulk-route.js';
import { exampleUser } from './examples.js';

export interface UpsertRouteContext extends BulkRouteContext, BulkChangeContext, InitialPasswordRules {}

export function upsertUsersBulkRoute(
  app: FastifyInstance,
  context: UpsertRouteContext,
  largeBodies: LargeBodies,
): void {
  bulkRoute(app, context, largeBodies, {
    url: '/service/users/upsert-bulk',
    operationId: 'upsertUsersBulk',
    summary: 'Create or update users in bulk',
    description:
      'Updates the users who exist and creates the others, matched by employeeID. Only employeeID is required for a user who exists. With create=false, a missing user fails with 10102. An existing user is updated as by update-bulk, including the email address, and keeps the password: a password in the item is ignored. A missing user is created as by create-bulk, unless the item has another newEmployeeID; such an item fails with 10102. A user created by one item is updated by later items with the same employeeID. The first failing check determines the error of an item, in this order: its fields are valid, the user exists or can be created (with a name, an email or phone, and a password that follows the rules), the new employee ID is free, the username is free, an email or phone remains, the caller may change a user with a role, and an administrator remains. With mode=finalState, several items for the same missing user create one user. With rehire=true, an inactive user whom an item makes active is rehired instead of updated: absent fields are emptied, and the user gets the password of the item or a new one. An item with isActive false updates the user as usual. The payload is the submitted item without its password.',
    body: BulkUpsert,
    reply: BulkUpsertReply,
    example: {
      summary: 'A user who may be new, and a rename that comes too late',
      items: [
        exampleUser,
        { employeeID: 'E1002', name: 'Grace Hopper', newEmployeeID: 'E1001', isActive: true },
      ],
      taken: 'E1001',
    },
    fields: Object.keys(bulkUpsertFields),
    echo: fieldsEchoedIn('upsertBulk'),
    sentFields: Object.keys(bulkUpsertFields),
    parameters: {
      ...changeParameters,
      ...createParameters,
      create: flagParameter('false: only updates users. No missing user is created.', true),
    },
    options: (values) => ({ ...changeOptions(values), ...createOptions(values), create: values.create }),
    errors: ['CALL_EXCEEDS_SAFETY_LIMIT'],
    isInContract: false,
    parse: (item, origin, options, attributes) =>
      parseUpsert(item, origin, options, context.initialPasswordCheck, attributes),
    planned: { kind: 'upsert-bulk', employeeIdOf: ({ targetEmployeeID }) => targetEmployeeID },
    run: (items, request) => upsertUsersBulk(context, items, request),
    preview: (database, parsed, options) => previewUpdates({ ...context, database }, parsed, options),
  });
}
