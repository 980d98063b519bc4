import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../domain/context.js';
import { organizations, tags } from './directory.js';
import { deleteEntryRoute, getEntryRoute, listEntriesRoute, putEntryRoute } from './entry-routes.js';
import { rememberNamesRoute, resolveNamesRoute } from './name-routes.js';
import { mergeRoute, renameRoute } from './replace-serial-routes.js';

export function directoryRoutes(app: FastifyInstance, context: Context): void {
  for (const directory of [organizations, tags]) {
    listEntriesRoute(app, context, directory);
    getEntryRoute(app, context, directory);
    putEntryRoute(app, context, directory);
    deleteEntryRoute(app, context, directory);
    renameRoute(app, context, directory);
    mergeRoute(app, context, directory);
    resolveNamesRoute(app, context, directory);
    rememberNamesRoute(app, context, directory);
  }
}
