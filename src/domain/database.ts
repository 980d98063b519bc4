import type { Limits } from '../contract/limits.js';
import type { Database } from '../storage/database.js';

export { abortableDatabase as cancelOnDisconnect } from '../storage/abortable-database.js';
export { RequestAborted } from '../storage/errors.js';
/** For routes, which pass it on to operations but never query it. */
export type { Database };

/** For operations whose work is limited. */
export interface LimitedDatabase {
  readonly database: Database;
  readonly limits: Limits;
}
