import type { Parsed } from '../read-fields.js';

/** Limits how many users one statement writes: building a larger one would block the event loop for too long. */
const usersPerStatementMax = 2_500;
/**
 * Limits the tags per statement. Most users have few; a hundred each cost several times as much as all other fields.
 */
const tagsPerStatementMax = 25_000;

/** This many tags take as long to plan and write as one user without any. */
const tagsLikeOneUser = 8;

/** Limits the chunks of a call whose users have many tags: planning a chunk blocks the event loop. */
export function chunkItemsFor<T>(
  itemsMax: number,
  parsed: readonly Parsed<T>[],
  tagsOf: (item: T) => readonly string[] | undefined,
): number {
  let tags = 0;
  for (const item of parsed) if (item.ok) tags += tagsOf(item.value)?.length ?? 0;
  return Math.ceil(itemsMax / (1 + tags / tagsLikeOneUser / Math.max(parsed.length, 1)));
}

/** Splits users into batches that one statement can write. */
export function* batchesOf<T>(users: readonly T[], tagsOf: (user: T) => number): Generator<readonly T[]> {
  let [first, tags] = [0, 0];
  for (const [index, user] of users.entries()) {
    tags += tagsOf(user);
    if (index > first && (index - first >= usersPerStatementMax || tags > tagsPerStatementMax)) {
      yield users.slice(first, index);
      [first, tags] = [index, tagsOf(user)];
    }
  }
  if (first < users.length) yield users.slice(first);
}
