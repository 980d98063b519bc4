import type { FastifyInstance } from 'fastify';
import { limitDefaults } from '../../../contract/limits.js';
import { SettingsReply } from '../../../contract/settings.js';
import { version } from '../../../contract/version.js';
import type { Context } from '../../../domain/context.js';
import { getSettings } from '../../../domain/maintenance/get-settings.js';
import { commonErrors, describeOperation } from '../../openapi.js';

const exampleSettings = {
  ...{ version, database: 'postgres', timeZone: 'Europe/Berlin', directories: 'open' },
  ...{ sessionLifetimeSeconds: 43_200, initialPasswordLifetimeHours: 168, initialPasswordRules: 'any' },
  ...{ emailDelivery: 'smtp', smsDelivery: 'gateway' },
  ...{
    changeNotices: true,
    bulkChangeNotices: false,
    safetyLimitPercent: 20,
    safetyApproval: false,
    plannedCallExpiryHours: 168,
  },
  ...{ employeeIdQuarantineDays: 90, usernameQuarantineDays: 0, limits: limitDefaults },
};

export function getSettingsRoute(app: FastifyInstance, context: Context): void {
  app.get('/service/settings', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getSettings',
      summary: 'Read limits and settings',
      description: 'What this node is configured to do. Contains no secrets.',
      tag: 'Operations',
      secured: true,
      success: {
        status: 200,
        description: 'The settings.',
        schema: SettingsReply,
        example: { status: 'success', message: 'Settings found.', data: exampleSettings },
      },
      errors: commonErrors,
    }),
    handler: async (_request, reply) =>
      reply.send({ status: 'success', message: 'Settings found.', data: getSettings(context) }),
  });
}
