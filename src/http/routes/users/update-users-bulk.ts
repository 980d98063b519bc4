import type { FastifyInstance } from 'fastify';
import { BulkUpdateReply } from '../../../contract/bulk-report.js';
import { fieldsEchoedIn } from '../../../contract/user-values.js';
import { BulkUpdate, bulkUpdateFields } from '../../../contract/users.js';
import {
  type BulkChangeContext,
  previewUpdates,
  updateUsersBulk,
} from '../../../domain/users/update-users-bulk.js';
import { parseBulkChange } from '../../../domain/users/user-rules.js';
import type { LargeBodies } from '../../large-bodies.js';
import { changeOptions, changeParameters } from './bulk-parameters.js';
import { type BulkRouteContext, bulkRoute } from './bulk-route.js';

export interface UpdateRouteContext extends BulkRouteContext, BulkChangeContext {}

export function updateUsersBulkRoute(
  app: FastifyInstance,
  context: UpdateRouteContext,
  largeBodies: LargeBodies,
): void {
  bulkRoute(app, context, largeBodies, {
    url: '/service/users/update-bulk',
    operationId: 'updateUsersBulk',
    summary: 'Update users in bulk',
    description:
      'The first failing check determines the error of an item, in this order: its fields are valid, the user exists, the new employee ID is free, the username is free, an email or phone remains, the caller may change a user with a role, and an administrator remains. Users with a role are protected: without access:admin, an item fails with 10111 if it changes their username or the phone that passwords are sent to, or reactivates them. Deactivating them is always possible and removes the role. Unknown query parameters, and unknown fields beside items, are ignored, unless they resemble known ones.',
    body: BulkUpdate,
    reply: BulkUpdateReply,
    example: {
      summary: 'A rename, and an item that comes too late',
      items: [
        { employeeID: 'E1001', name: 'Ada King', newEmployeeID: 'E2001', isActive: true },
        { employeeID: 'E1002', name: 'Grace Hopper', newEmployeeID: 'E2001', isActive: true },
      ],
      taken: 'E2001',
    },
    fields: Object.keys(bulkUpdateFields),
    echo: fieldsEchoedIn('updateBulk'),
    sentFields: Object.keys(bulkUpdateFields),
    parse: (item, origin, { nulls }, attributes) => parseBulkChange(item, origin, nulls, attributes),
    parameters: changeParameters,
    options: changeOptions,
    errors: ['CALL_EXCEEDS_SAFETY_LIMIT'],
    isInContract: true,
    planned: { kind: 'update-bulk', employeeIdOf: ({ targetEmployeeID }) => targetEmployeeID },
    run: (items, request) => updateUsersBulk(context, items, request),
    preview: (database, parsed, options) => previewUpdates({ ...context, database }, parsed, options),
  });
}
