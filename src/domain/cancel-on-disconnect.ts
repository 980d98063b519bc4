import { abortableDatabase } from '../storage/abortable-database.js';
import type { Context } from './context.js';

export { RequestAborted } from '../storage/errors.js';

/** A context for read-only operations: their queries are canceled when the client disconnects. */
export function cancelOnDisconnect(context: Context, signal: AbortSignal): Context {
  return { ...context, database: abortableDatabase(context.database, signal) };
}
