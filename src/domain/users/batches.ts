/** So many users one statement writes at most: to put more of them into words would keep others waiting. */
const usersAtOnce = 2_500;
/** The same for their tags. Most users have a few; a hundred each are several times the work of everything else. */
const tagsAtOnce = 25_000;

/** Cuts users into runs that one statement can write. */
export function* batchesOf<T>(users: readonly T[], tagsOf: (user: T) => number): Generator<readonly T[]> {
  let [first, tags] = [0, 0];
  for (const [index, user] of users.entries()) {
    tags += tagsOf(user);
    if (index > first && (index - first >= usersAtOnce || tags > tagsAtOnce)) {
      yield users.slice(first, index);
      [first, tags] = [index, tagsOf(user)];
    }
  }
  if (first < users.length) yield users.slice(first);
}
