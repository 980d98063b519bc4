import type { FastifyInstance } from 'fastify';
import { AccessEventListReply, accessEventKinds } from '../../../contract/access-events.js';
import { listAccessEvents } from '../../../domain/audit/list-access-events.js';
import type { Database } from '../../../domain/database.js';
import { listRoute, timeParameters } from '../../list-route.js';
import { choiceParameter, textParameter } from '../../query.js';
import { exampleSerial } from '../users/examples.js';

export function listAccessEventsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/access-events',
    scope: 'audit:read',
    operationId: 'listAccessEvents',
    summary: 'List access events',
    description:
      'Newest first: who signed in, who failed to, and who changed access. Never includes a secret or an unknown username.',
    tag: 'Access',
    noun: 'Access events',
    reply: AccessEventListReply,
    example: {
      id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5c',
      at: '2026-11-15T08:30:00.000Z',
      kind: 'sign-in.failed',
      actor: null,
      userSerial: exampleSerial,
      clientId: null,
      address: '192.0.2.7',
      requestId: 'b1c2…',
      detail: {},
    },
    parameters: {
      kind: choiceParameter(accessEventKinds, undefined),
      notKind: choiceParameter(accessEventKinds, undefined, 'Events of all other kinds.'),
      userSerial: textParameter('Events about this user.', exampleSerial),
      clientId: textParameter('Events about this client.', 'client-1f2e3d4c5b6a'),
      actorId: textParameter(
        'Events caused by this client, user or external subject, also their own sign-ins and tokens.',
        'client-1f2e3d4c5b6a',
      ),
      ...timeParameters,
    },
    page: (database, page, { parameters }) => listAccessEvents(database, parameters, page),
  });
}
