import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  CallItemListReply,
  CallListReply,
  callItemOutcomes,
  FoundCallReply,
} from '../../../contract/calls.js';
import type { Effect } from '../../../contract/changes.js';
import { callKinds, callStates } from '../../../contract/enums.js';
import { showingTo } from '../../../domain/attributes/show-users.js';
import { getCallWithEffects } from '../../../domain/calls/get-call.js';
import { listCallItems } from '../../../domain/calls/list-call-items.js';
import { listCalls } from '../../../domain/calls/list-calls.js';
import { cancelOnDisconnect, type Database } from '../../../domain/database.js';
import { clientSignal } from '../../client-signal.js';
import { listRoute, timeParameters } from '../../list-route.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { choiceParameter, textParameter } from '../../query.js';
import { succeeded } from '../../request-rejected.js';
import { exampleCall, exampleCallId, exampleFoundCall } from '../changes/examples.js';
import { exampleSerial } from '../users/examples.js';

export const callParams = Type.Object({
  id: Type.String({ description: 'The ID of the call.', examples: [exampleCallId] }),
});

export function listCallsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/calls',
    scope: 'users:read',
    operationId: 'listCalls',
    summary: 'List bulk calls',
    description: 'Newest first. Previews are not recorded.',
    tag: 'Changes',
    noun: 'Calls',
    reply: CallListReply,
    example: exampleCall,
    parameters: {
      kind: choiceParameter(callKinds, undefined),
      state: choiceParameter(callStates, undefined),
      actorId: textParameter('Calls made by this client, user or external subject.', 'client-1f2e3d4c5b6a'),
      requestId: textParameter('The call made by the request with this X-Request-Id.', 'nightly-2026-11-15'),
      ...timeParameters,
    },
    page: (database, page, { parameters }) => listCalls(database, parameters, page),
  });
}

export function getCallRoute(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { id: string } }>('/service/calls/:id', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getCall',
      summary: 'Read a bulk call',
      description: 'X-Call-Id of the reply to a bulk call is its ID.',
      tag: 'Changes',
      secured: true,
      parameters: { params: callParams },
      success: {
        status: 200,
        description: 'The call.',
        schema: FoundCallReply,
        example: { status: 'success', message: 'Call found.', data: exampleFoundCall },
      },
      errors: ['CALL_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = succeeded(
        await getCallWithEffects(cancelOnDisconnect(database, clientSignal(reply)), request.params.id),
      );
      return reply.send({ status: 'success', message: 'Call found.', data: found.call });
    },
  });
}

export function listCallItemsRoute(app: FastifyInstance, database: Database): void {
  const parameters = { outcome: choiceParameter(callItemOutcomes, undefined) };
  listRoute<{ id: string }, typeof parameters>(app, database, {
    url: '/service/calls/:id/items',
    scope: 'users:read',
    operationId: 'listCallItems',
    summary: 'List the items of a bulk call',
    description:
      'What became of each item, in the order in which they were sent, for ROLLCALL_CHANGES_DAYS. With users:write or audit:read, also what changed; of a user in several items, each has all of it. For a call that has not run, what its preview showed.',
    tag: 'Changes',
    noun: 'Items',
    reply: CallItemListReply,
    example: { position: 0, employeeID: 'E1001', outcome: 'succeeded', serial: exampleSerial },
    params: callParams,
    parameters,
    errors: ['CALL_NOT_FOUND'],
    page: async (database, page, { params, parameters, actor }) => {
      const listed = await listCallItems(database, params.id, { ...parameters, actor }, page);
      if (!listed.ok || !listed.items.some(({ effect }) => effect)) return listed;
      const showing = await showingTo(database.pool, actor);
      const shown = (effect: Effect) => ({ ...effect, fields: showing.fields(effect.fields) });
      const items = listed.items.map(({ effect, ...item }) =>
        effect ? { ...item, effect: shown(effect) } : item,
      );
      return { ...listed, items };
    },
  });
}
