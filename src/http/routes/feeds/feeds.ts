import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  CreateFeed,
  createFeedFields,
  FeedDeletedReply,
  FeedListReply,
  FeedReply,
  FeedVersionListReply,
  PatchFeed,
  patchFeedFields,
} from '../../../contract/feeds.js';
import { feedLimits } from '../../../contract/limits.js';
import type { Database } from '../../../domain/database.js';
import {
  createFeed,
  deleteFeed,
  type FeedChange,
  type FeedContext,
  getFeed,
  listFeeds,
  listFeedVersions,
  type NewFeed,
  updateFeed,
} from '../../../domain/feeds/feeds.js';
import { callerOf } from '../../authentication.js';
import { listRoute } from '../../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { exampleFeed, exampleSettings, feedView } from './feed-views.js';

export const feedParams = Type.Object({
  key: Type.String({ description: 'The key of the feed.', examples: [exampleFeed.key] }),
});
export type FeedRequest = { Params: { key: string } };

export function feedRoutes(app: FastifyInstance, context: FeedContext): void {
  listFeedsRoute(app, context);
  createFeedRoute(app, context);
  getFeedRoute(app, context);
  updateFeedRoute(app, context);
  deleteFeedRoute(app, context.database);
  listFeedVersionsRoute(app, context.database);
}

const okReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: FeedReply,
  example: { status: 'success', message, data: exampleFeed },
});

function listFeedsRoute(app: FastifyInstance, context: FeedContext): void {
  app.get('/service/feeds', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'listFeeds',
      summary: 'List feeds',
      description: 'All feeds, by name, with their last and next run.',
      tag: 'Feeds',
      secured: true,
      success: {
        status: 200,
        description: 'The feeds.',
        schema: FeedListReply,
        example: { status: 'success', message: 'Feeds found.', data: { items: [exampleFeed] } },
      },
      errors: commonErrors,
    }),
    handler: async (request, reply) => {
      const feeds = await listFeeds(context, callerOf(request).actor);
      return reply.send({ status: 'success', message: 'Feeds found.', data: { items: feeds.map(feedView) } });
    },
  });
}

function createFeedRoute(app: FastifyInstance, context: FeedContext): void {
  app.post('/service/feeds', {
    bodyLimit: feedLimits.bodyMaxBytes,
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createFeed',
      summary: 'Create a feed',
      description:
        'A feed is a file that the service fetches and syncs by itself: it creates, updates and deactivates users as the file says. Before it writes, it compares what it would do with past runs, and stops if that is far from usual.',
      tag: 'Feeds',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateFeed,
        examples: {
          nightly: {
            summary: 'A file that is read every working day',
            value: { key: 'workday', ...exampleSettings, secret: 'correct horse battery staple' },
          },
        },
      },
      success: {
        ...okReply('The feed.', 'Feed created.'),
        status: 201,
        headers: { Location: 'The path of the new feed.' },
      },
      errors: ['FEED_KEY_EXISTS', 'FEED_TOO_MANY', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, createFeedFields) as unknown as NewFeed; // the required fields are present
      const { feed } = succeeded(await createFeed(context, given, callerOf(request)));
      return reply
        .code(201)
        .header('location', `/service/feeds/${feed.feed.key}`)
        .send({ status: 'success', message: 'Feed created.', data: feedView(feed) });
    },
  });
}

function getFeedRoute(app: FastifyInstance, context: FeedContext): void {
  app.get<FeedRequest>('/service/feeds/:key', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getFeed',
      summary: 'Read a feed',
      description:
        'With its settings, but without its secrets. The query of a URL, which may contain a token, requires access:admin; constants and value tables of sensitive attributes require attributes:sensitive. `hidden` names what is shown without them.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: feedParams },
      success: okReply('The feed.', 'Feed found.'),
      errors: ['FEED_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { feed } = succeeded(await getFeed(context, request.params.key, callerOf(request).actor));
      return reply.send({ status: 'success', message: 'Feed found.', data: feedView(feed) });
    },
  });
}

function updateFeedRoute(app: FastifyInstance, context: FeedContext): void {
  app.patch<FeedRequest>('/service/feeds/:key', {
    bodyLimit: feedLimits.bodyMaxBytes,
    config: { scope: 'access:admin', takes: ['application/merge-patch+json', 'application/json'] },
    schema: describeOperation({
      operationId: 'updateFeed',
      summary: 'Update a feed',
      description:
        'Each setting is replaced as a whole, and null restores its default. If the source moves to another server or user, or its host key changes, its secret has to be sent again. A run that is under way goes on with the settings that it began with.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: feedParams },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchFeed,
        examples: { pause: { summary: 'Suspend the schedule', value: { isPaused: true } } },
      },
      success: okReply('The updated feed.', 'Feed updated.'),
      errors: ['FEED_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, patchFeedFields, { partial: true }) as FeedChange;
      const { feed } = succeeded(await updateFeed(context, request.params.key, given, callerOf(request)));
      return reply.send({ status: 'success', message: 'Feed updated.', data: feedView(feed) });
    },
  });
}

function deleteFeedRoute(app: FastifyInstance, database: Database): void {
  app.delete<FeedRequest>('/service/feeds/:key', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'deleteFeed',
      summary: 'Delete a feed',
      description:
        'Deletes its settings, runs and stored files. Users stay as they are, and its bulk calls stay on record. To keep the feed, set isPaused instead.',
      tag: 'Feeds',
      secured: true,
      parameters: { params: feedParams },
      success: {
        status: 200,
        description: 'The feed is gone.',
        schema: FeedDeletedReply,
        example: { status: 'success', message: 'Feed deleted.', data: { key: exampleFeed.key } },
      },
      errors: ['FEED_NOT_FOUND', 'FEED_BUSY', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { key } = request.params;
      succeeded(await deleteFeed(database, key, callerOf(request)));
      return reply.send({ status: 'success', message: 'Feed deleted.', data: { key } });
    },
  });
}

function listFeedVersionsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/feeds/:key/versions',
    scope: 'users:read',
    operationId: 'listFeedVersions',
    summary: 'List the versions of the settings of a feed',
    description:
      'Newest first. Each change of the source, schedule, mapping, rules, limits or people is one.',
    tag: 'Feeds',
    noun: 'Versions',
    reply: FeedVersionListReply,
    example: {
      version: 3,
      at: '2026-11-15T08:30:00.000Z',
      by: { kind: 'client', id: 'client-1f2e3d4c5b6a' },
      settings: exampleSettings,
      hidden: [],
    },
    params: feedParams,
    errors: ['FEED_NOT_FOUND'],
    page: (database, page, { params, actor }) =>
      listFeedVersions(database, (params as { key: string }).key, page, actor),
  });
}
