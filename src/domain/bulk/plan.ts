import type { Effect } from '../../contract/changes.js';
import type { Failure } from '../../contract/errors.js';
import type { Role } from '../../contract/scopes.js';
import type { StoredUser } from '../../contract/users.js';
import type { Parsed } from '../read-fields.js';

/** A user before and after. Null means that the user does not exist. */
export interface Transition {
  readonly before: StoredUser | null;
  readonly after: StoredUser | null;
  /** The role removed by a deactivation. */
  readonly lostRole?: Role | undefined;
  /** The user was inactive, got new data and gets a new password. */
  readonly rehired?: boolean | undefined;
}

/** The planned result of one item. */
export type PlannedOutcome =
  | ({
      readonly ok: true;
      readonly serial: string;
      /** If it is more than the difference between before and after. */
      readonly effect?: Effect;
    } & Transition)
  | { readonly ok: false; readonly failure: Failure };

/** Consecutive items that one plan covers. `first` is the position of the first item in the call. */
export interface Chunk<T> {
  readonly first: number;
  readonly items: readonly Parsed<T>[];
}

/** The items of a call, in blocks: the database can start on the first ones while the next ones are being parsed. */
export type ItemBlocks<T> = AsyncIterable<readonly Parsed<T>[]> | readonly (readonly Parsed<T>[])[];

export async function allItems<T>(blocks: ItemBlocks<T>): Promise<readonly Parsed<T>[]> {
  const items: Parsed<T>[] = [];
  for await (const block of blocks) for (const item of block) items.push(item);
  return items;
}
