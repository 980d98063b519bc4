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
      'The first failing check of an item decides its error: its fields, then that the user exists, then that the new employee ID is free, then that the username is free, then that an email or phone remains, then that the caller may change a user with a role, then that an administrator is left. Users with a role are protected: without access:admin an item that changes their username, the phone passwords are sent to, or reactivates them fails with 10111. Deactivating them is always possible and removes the role.',
    body: BulkUpdate,
    example: {
      summary: 'A rename, and one that comes too late',
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
            'finalState judges names by where everyone ends up, so that swaps succeed: items select by the employee IDs of before the call, and whoever keeps a name has it before any who would take it.',
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
    errors: ['CALL_BRAKED'],
    run: (parsed, request) => updateUsersBulk(context, parsed, request),
    preview: previewUpdates,
  });
}
