import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  CreateView,
  createViewFields,
  DeletedViewReply,
  PatchView,
  ViewListReply,
  ViewReply,
} from '../../contract/views.js';
import type { Database } from '../../domain/database.js';
import {
  createView,
  deleteView,
  listViews,
  updateView,
  type ViewSettings,
} from '../../domain/views/views.js';
import { userActorOf } from '../authentication.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const viewsUrl = '/service/views';
const config = { scope: 'users:read', usersOnly: true } as const;

const exampleView = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
  name: 'Inactive in Berlin',
  query: 'isActive=false&columns=name%2Cemail',
  isShared: true,
  author: { serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a', name: 'Ada Lovelace' },
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

const params = { id: Type.String({ description: 'The ID of the view.', examples: [exampleView.id] }) };
const placeErrors = ['VIEW_NAME_TAKEN', 'VIEW_TOO_MANY'] as const;
const changeErrors = ['VIEW_NOT_FOUND', 'VIEW_OF_SOMEBODY_ELSE'] as const;
const viewReply = (status: number, description: string, message: string) => ({
  status,
  description,
  schema: ViewReply,
  example: { status: 'success', message, data: exampleView },
});

export function viewRoutes(app: FastifyInstance, database: Database): void {
  listViewsRoute(app, database);
  createViewRoute(app, database);
  updateViewRoute(app, database);
  deleteViewRoute(app, database);
}

function listViewsRoute(app: FastifyInstance, database: Database): void {
  const message = 'Views found.';
  app.get(viewsUrl, {
    config,
    schema: describeOperation({
      operationId: 'listViews',
      summary: 'List saved views of the user list',
      description: 'The views of the user who signed in, and those that are shared with everybody, by name.',
      tag: 'Users',
      secured: true,
      success: {
        status: 200,
        description: 'All of them.',
        schema: ViewListReply,
        example: { status: 'success', message, data: { items: [exampleView] } },
      },
      errors: ['ACCESS_USER_REQUIRED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const items = await listViews(database, userActorOf(request));
      return reply.send({ status: 'success', message, data: { items } });
    },
  });
}

function createViewRoute(app: FastifyInstance, database: Database): void {
  const message = 'View saved.';
  app.post(viewsUrl, {
    config: { ...config, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createView',
      summary: 'Save a view of the user list',
      description: 'For the user who signed in, or shared with everybody who sees users.',
      tag: 'Users',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateView,
        examples: {
          shared: { value: { name: 'Inactive in Berlin', query: 'isActive=false', isShared: true } },
        },
      },
      success: { ...viewReply(201, 'The view.', message), headers: { Location: 'The path of the view.' } },
      errors: ['ACCESS_USER_REQUIRED', ...placeErrors, ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { name, query, isShared } = readBody(request, createViewFields);
      const settings = { name, query, isShared: isShared ?? false } as ViewSettings; // the others are required
      const { view } = succeeded(await createView(database, settings, userActorOf(request)));
      return reply
        .code(201)
        .header('location', `${viewsUrl}/${view.id}`)
        .send({ status: 'success', message, data: view });
    },
  });
}

function updateViewRoute(app: FastifyInstance, database: Database): void {
  const message = 'View changed.';
  app.patch<{ Params: { id: string } }>(`${viewsUrl}/:id`, {
    config: { ...config, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'updateView',
      summary: 'Change, share or rename a view',
      description: 'A view that is no longer shared is its author’s own.',
      tag: 'Users',
      secured: true,
      parameters: { params: Type.Object(params) },
      body: {
        types: ['application/json'],
        schema: PatchView,
        examples: { share: { value: { isShared: true } } },
      },
      success: viewReply(200, 'The view as it is now.', message),
      errors: ['ACCESS_USER_REQUIRED', ...changeErrors, ...placeErrors, ...writeErrors],
    }),
    handler: async (request, reply) => {
      const sent = readBody(request, createViewFields, { partial: true });
      const changes = Object.fromEntries(
        Object.entries(sent).filter(([, value]) => value !== null && value !== undefined),
      );
      const actor = userActorOf(request);
      const { view } = succeeded(await updateView(database, request.params.id, changes, actor));
      return reply.send({ status: 'success', message, data: view });
    },
  });
}

function deleteViewRoute(app: FastifyInstance, database: Database): void {
  const message = 'View deleted.';
  app.delete<{ Params: { id: string } }>(`${viewsUrl}/:id`, {
    config,
    schema: describeOperation({
      operationId: 'deleteView',
      summary: 'Delete a view',
      description: 'A shared view is gone for everybody.',
      tag: 'Users',
      secured: true,
      parameters: { params: Type.Object(params) },
      success: {
        status: 200,
        description: 'The view is gone.',
        schema: DeletedViewReply,
        example: { status: 'success', message, data: { id: exampleView.id } },
      },
      errors: ['ACCESS_USER_REQUIRED', ...changeErrors, ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { view } = succeeded(await deleteView(database, request.params.id, userActorOf(request)));
      return reply.send({ status: 'success', message, data: { id: view.id } });
    },
  });
}
