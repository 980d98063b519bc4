import { untilAborted } from '../storage/until-aborted.js';
import type { Context } from './context.js';

export { Abandoned } from '../storage/errors.js';

/** A context for read-only operations: their queries are canceled when the client disconnects. */
export function whileConnected(context: Context, signal: AbortSignal): Context {
  return { ...context, database: untilAborted(context.database, signal) };
}
