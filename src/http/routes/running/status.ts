import type { FastifyInstance } from 'fastify';
import { operatorLimits } from '../../../contract/limits.js';
import { SettingsReply } from '../../../contract/settings.js';
import { StatusReply } from '../../../contract/status.js';
import { version } from '../../../contract/version.js';
import type { Database } from '../../../domain/database.js';
import { getSettings, type SettingsContext } from '../../../domain/maintenance/get-settings.js';
import { getStatus } from '../../../domain/maintenance/get-status.js';
import { commonErrors, describeOperation } from '../../openapi.js';

const exampleStatus = {
  version,
  nodes: [
    {
      ...{ id: 'rollcall-0:8080', versions: [version], processes: 2, isAlive: true },
      ...{ startedAt: '2026-11-15T08:30:00.000Z', lastSeenAt: '2026-11-16T21:30:00.000Z' },
    },
  ],
  database: {
    ...{ engine: 'postgres', version: '18.1', bytes: 734_003_200 },
    migrations: { applied: 18, latest: '0018_node_heartbeats', pending: 0 },
  },
  queues: {
    messages: { waiting: 12, held: 0, dormant: 3, parked: 1, oldestDueSeconds: 0.4 },
    scimTargets: { active: 1, failing: 0, stopped: 0, paused: 0, queued: 3, failed: 1 },
    webhooks: { active: 2, failing: 0, disabled: 0, paused: 0, oldestEventSeconds: 0 },
    plannedCalls: { planned: 1, awaitingApproval: 0, awaitingTakeover: 0, running: 0, oldestDueSeconds: 0 },
    feeds: { waiting: 0, failed: 0, running: 0, paused: 0, idle: 1, oldestDueSeconds: 0 },
    indexing: { changesBehind: 0, secondsBehind: 0, isBuilding: false },
  },
  lastBackup: null,
  attention: [
    { kind: 'messagesParked', count: 1 },
    { kind: 'noBackup', count: 1 },
  ],
};

export function getStatusRoute(app: FastifyInstance, database: Database): void {
  app.get('/service/status', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getStatus',
      summary: 'Read how the service is doing',
      description:
        'Nodes, database, queues and the last backup, and what needs attention. For alerts, use the metrics instead.',
      tag: 'Operations',
      secured: true,
      success: {
        status: 200,
        description: 'The status.',
        schema: StatusReply,
        example: { status: 'success', message: 'Status found.', data: exampleStatus },
      },
      errors: commonErrors,
    }),
    handler: async (_request, reply) =>
      reply.send({ status: 'success', message: 'Status found.', data: await getStatus(database) }),
  });
}

const exampleSettings = {
  ...{ version, database: 'postgres', timeZone: 'Europe/Berlin', directories: 'open' },
  ...{ sessionLifetimeSeconds: 43_200, sessionIdleSeconds: 7_200 },
  ...{ initialPassword: 'message', initialPasswordLifetimeHours: 168, initialPasswordRules: 'any' },
  ...{ emailDelivery: 'smtp', openIdProvider: true, smsDelivery: 'gateway' },
  ...{
    changeNotices: true,
    bulkChangeNotices: false,
    safetyLimitPercent: 20,
    safetyApproval: false,
    plannedCallExpiryHours: 168,
  },
  ...{ employeeIdQuarantineDays: 90, usernameQuarantineDays: 0, limits: operatorLimits },
};

export function getSettingsRoute(app: FastifyInstance, context: SettingsContext): void {
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
