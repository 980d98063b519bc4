import type { Failure } from '../../contract/errors.js';
import type { Role } from '../../contract/scopes.js';
import type { StoredUser } from '../../contract/users.js';
import type { Parsed } from '../read-fields.js';

/** A user before and after; null is not there. */
export interface Move {
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  /** The role that goes with it: a deactivation removes it. */
  readonly lostRole?: Role | undefined;
}

/** The planned result of one item. */
export type PlannedOutcome =
  | ({ readonly ok: true; readonly serial: string } & Move)
  | { readonly ok: false; readonly failure: Failure };

/** A run of items that one plan covers, with the position of the first in the whole call. */
export interface Chunk<T> {
  readonly first: number;
  readonly items: readonly Parsed<T>[];
}
