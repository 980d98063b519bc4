import type { FastifyInstance } from 'fastify';
import { PersonalDataReply } from '../../../contract/personal-data.js';
import type { Database } from '../../../domain/database.js';
import { getPersonalData } from '../../../domain/erasure/personal-data.js';
import { callerOf } from '../../authentication.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { succeeded } from '../../request-rejected.js';
import { exampleChange } from '../changes/examples.js';
import { exampleDelivery } from '../deliveries.js';
import { exampleUserView } from './examples.js';
import { serialParameter } from './get-user.js';

const message = 'Personal data found.';

export function getPersonalDataRoute(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { serial: string } }>('/service/users/:serial/personal-data', {
    // Messages take access:admin elsewhere; the history and access events, which tell everything else, audit:read.
    config: { scope: ['access:admin', 'audit:read'], isSearch: true },
    schema: describeOperation({
      operationId: 'getPersonalData',
      summary: 'Export everything known about a user',
      description:
        'For users who ask what is stored about them. Contains no secrets. The export is recorded as an access event.',
      tag: 'Users',
      secured: true,
      parameters: { params: serialParameter },
      success: {
        status: 200,
        description: 'Everything that is stored about the user.',
        schema: PersonalDataReply,
        example: {
          status: 'success',
          message,
          data: {
            user: exampleUserView,
            role: null,
            language: 'de',
            formerNames: [
              {
                kind: 'employeeID',
                name: 'E1001',
                since: '2026-11-01T08:30:00.000Z',
                until: exampleChange.at,
              },
            ],
            password: { changedAt: '2026-11-02T08:30:00.000Z', mustChange: false, expiresAt: null },
            firstSignedInAt: '2026-11-02T08:29:00.000Z',
            factors: [
              {
                id: '0198c0de-7a11-7000-8000-5f1e2d3c4b60',
                kind: 'passkey',
                name: 'Work laptop',
                createdAt: '2026-11-02T08:31:00.000Z',
                lastUsedAt: '2026-11-15T08:00:00.000Z',
              },
            ],
            sessions: [
              {
                createdAt: '2026-11-15T08:00:00.000Z',
                lastSeenAt: '2026-11-15T08:30:00.000Z',
                expiresAt: '2026-11-15T20:00:00.000Z',
                method: 'password',
                address: '192.0.2.7',
                device: 'Firefox on Windows',
              },
            ],
            changes: [exampleChange],
            messages: [{ ...exampleDelivery, toEmail: null, toPhone: null }],
            noticeChoices: { callApproval: false },
            views: [
              {
                name: 'Inactive in Berlin',
                query: 'isActive=false&columns=name%2Cemail',
                isShared: true,
                createdAt: '2026-11-15T08:30:00.000Z',
              },
            ],
            notices: [
              {
                topic: 'feedStopped',
                state: 'sent',
                createdAt: '2026-11-15T08:30:00.000Z',
                sentAt: '2026-11-15T08:30:01.000Z',
              },
            ],
            accessEvents: [],
            calls: [],
            upcomingChanges: [],
            applications: [],
            confirmedContacts: [{ field: 'email', value: 'ada@example.com' }],
            createdClients: [],
            provisioning: { externalIds: { 'client-1f2e3d4c5b6a': '00u1ero7vZFVEIYLWPBN' } },
            groupMemberships: [],
            pushedTo: [],
            names: { organizations: {}, tags: {}, users: {}, clients: {}, feeds: {} },
            incomplete: [],
          },
        },
      },
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = succeeded(await getPersonalData(database, request.params.serial, callerOf(request)));
      return reply.send({ status: 'success', message, data: found.data });
    },
  });
}
