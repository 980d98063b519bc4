import type { Limits } from '../contract/limits.js';
import type { Database } from '../storage/database.js';

/** What every operation works with. */
export interface Context {
  readonly database: Database;
  readonly limits: Limits;
}
