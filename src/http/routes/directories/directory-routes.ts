import type { FastifyInstance } from 'fastify';
import type { ChangeContext } from '../../../domain/changes/follower.js';
import type { DirectoryListContext } from '../../../domain/directories/entries.js';
import type { MatchingRouteContext } from '../users/matching-route.js';
import { organizations, tags } from './directory.js';
import { deleteEntryRoute, getEntryRoute, listEntriesRoute, putEntryRoute } from './entry-routes.js';
import { type NameRouteContext, rememberNamesRoute, resolveNamesRoute } from './name-routes.js';
import { mergeRoute, renameRoute } from './replace-serial-routes.js';

export interface DirectoryRouteContext
  extends MatchingRouteContext,
    NameRouteContext,
    ChangeContext,
    DirectoryListContext {}

export function directoryRoutes(app: FastifyInstance, context: DirectoryRouteContext): void {
  for (const directory of [organizations, tags]) {
    listEntriesRoute(app, context, directory);
    getEntryRoute(app, context.database, directory);
    putEntryRoute(app, context.database, directory);
    deleteEntryRoute(app, context, directory);
    renameRoute(app, context, directory);
    mergeRoute(app, context, directory);
    resolveNamesRoute(app, context, directory);
    rememberNamesRoute(app, context, directory);
  }
}
