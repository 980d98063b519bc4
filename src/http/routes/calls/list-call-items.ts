import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { CallItemListReply, callItemOutcomes } from '../../../contract/calls.js';
import { listCallItems } from '../../../domain/calls/list-call-items.js';
import type { Context } from '../../../domain/context.js';
import { listRoute } from '../../list-route.js';
import { isFailure, readChoice } from '../../query.js';
import { exampleSerial } from '../users/examples.js';
import { callParams } from './call-schemas.js';

export function listCallItemsRoute(app: FastifyInstance, context: Context): void {
  listRoute<{ id: string }, { id: string; outcome?: 'succeeded' | 'failed' }>(app, context, {
    url: '/service/calls/:id/items',
    scope: 'users:read',
    operationId: 'listCallItems',
    summary: 'List the items of a bulk call',
    description:
      'What became of each item, in the order in which they were sent, for ROLLCALL_CHANGES_DAYS. For a call that has not run, what its preview showed.',
    tag: 'Changes',
    noun: 'Items',
    reply: CallItemListReply,
    example: { position: 0, employeeID: 'E1001', outcome: 'succeeded', serial: exampleSerial },
    params: callParams,
    parameters: { outcome: Type.Optional(Type.String({ enum: [...callItemOutcomes] })) },
    errors: ['CALL_NOT_FOUND'],
    filters: (given, { id }) => {
      const outcome = readChoice(given, 'outcome', callItemOutcomes);
      if (isFailure(outcome)) return outcome;
      return { id, ...(outcome === undefined ? {} : { outcome }) };
    },
    page: (context, { id, ...filters }, page) => listCallItems(context, id, filters, page),
  });
}
