import type { FastifyInstance } from 'fastify';
import { ClientListReply } from '../../../contract/clients.js';
import { listClients } from '../../../domain/clients/clients.js';
import type { Context } from '../../../domain/context.js';
import { listRoute } from '../../list-route.js';
import { exampleClient } from './client-schemas.js';

export function listClientsRoute(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
    url: '/service/clients',
    scope: 'access:admin',
    operationId: 'listClients',
    summary: 'List clients',
    description: 'Sorted by ID.',
    tag: 'Access',
    noun: 'Clients',
    reply: ClientListReply,
    example: exampleClient,
    filters: () => ({}),
    page: (context, _filters, page) => listClients(context, page),
  });
}
