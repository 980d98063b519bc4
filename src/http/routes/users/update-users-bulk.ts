import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { callModes } from '../../../contract/calls.js';
import { BulkUpdate, bulkUpdateEcho, bulkUpdateFields } from '../../../contract/users.js';
import type { Context } from '../../../domain/context.js';
import { previewUpdates, updateUsersBulk } from '../../../domain/users/update-users-bulk.js';
import { parseBulkChange } from '../../../domain/users/user-rules.js';
import type { LargeBodies } from '../../large-bodies.js';
import { confirmParameter, isFailure, readChoice, readCount } from '../../query.js';
import { bulkRoute } from './bulk-route.js';

export function updateUsersBulkRoute(app: FastifyInstance, context: Context, largeBodies: LargeBodies): void {
  bulkRoute(app, context, largeBodies, {
    url: '/service/users/update-bulk',
    operationId: 'updateUsersBulk',
    summary: 'Update users in bulk',
    description:
      'The first failing check determines the error of an item, in this order: its fields are valid, the user exists, the new employee ID is free, the username is free, an email or phone remains, the caller may change a user with a role, and an administrator remains. Users with a role are protected: without access:admin, an item fails with 10111 if it changes their username or the phone that passwords are sent to, or reactivates them. Deactivating them is always possible and removes the role.',
    body: BulkUpdate,
    example: {
      summary: 'A rename, and an item that comes too late',
      items: [
        { employeeID: 'E1001', name: 'Ada King', newEmployeeID: 'E2001', isActive: true },
        { employeeID: 'E1002', name: 'Grace Hopper', newEmployeeID: 'E2001', isActive: true },
      ],
      taken: 'E2001',
    },
    fields: Object.keys(bulkUpdateFields),
    echo: bulkUpdateEcho,
    sentFields: Object.keys(bulkUpdateFields),
    parse: parseBulkChange,
    parameters: {
      mode: Type.Optional(
        Type.String({
          enum: [...callModes],
          default: 'oneByOne',
          description:
            'finalState compares names at the end of the call, so that swaps succeed. Items select users by the employee IDs from before the call. A user who keeps a name takes precedence over one who requests it.',
        }),
      ),
      confirm: confirmParameter,
    },
    options: (query) => {
      const mode = readChoice(query, 'mode', callModes);
      if (isFailure(mode)) return mode;
      const confirmed = readCount(query, 'confirm');
      return isFailure(confirmed) ? confirmed : { mode: mode ?? 'oneByOne', confirmed };
    },
    errors: ['CALL_EXCEEDS_SAFETY_LIMIT'],
    detailsOnRequest: true,
    run: (parsed, request) => updateUsersBulk(context, parsed, request),
    preview: previewUpdates,
  });
}
