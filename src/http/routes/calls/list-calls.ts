import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { CallListReply } from '../../../contract/calls.js';
import { callKinds, callStates } from '../../../contract/enums.js';
import { listCalls } from '../../../domain/calls/list-calls.js';
import type { Context } from '../../../domain/context.js';
import { listRoute, readTexts, readTimes, timeParameters } from '../../list-route.js';
import { filterText, isFailure, readChoice } from '../../query.js';
import { exampleCall } from '../changes/examples.js';

export function listCallsRoute(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
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
      kind: Type.Optional(Type.String({ enum: [...callKinds] })),
      state: Type.Optional(Type.String({ enum: [...callStates] })),
      actorId: filterText('Calls made by this client, user or external subject.', 'client-1f2e3d4c5b6a'),
      requestId: filterText('The call made by the request with this X-Request-Id.', 'nightly-2026-11-15'),
      ...timeParameters,
    },
    filters: (given) => {
      const kind = readChoice(given, 'kind', callKinds);
      if (isFailure(kind)) return kind;
      const state = readChoice(given, 'state', callStates);
      if (isFailure(state)) return state;
      const times = readTimes(given);
      if (isFailure(times)) return times;
      return { ...readTexts(given, ['kind', 'state', 'actorId', 'requestId']), ...times };
    },
    page: (context, filters, page) => listCalls(context, filters, page),
  });
}
