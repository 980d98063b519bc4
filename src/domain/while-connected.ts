import { untilAborted } from '../storage/until-aborted.js';
import type { Context } from './context.js';

export { Abandoned } from '../storage/errors.js';

/** The context for an operation that only reads: what it asks of the database is dropped once its client has gone. */
export function whileConnected(context: Context, signal: AbortSignal): Context {
  return { ...context, database: untilAborted(context.database, signal) };
}
