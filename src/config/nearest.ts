/** The most letters that may be wrong; of a short word, no more than a third of it. */
const wrongLettersMax = 5;

/**
 * The candidate that a misspelt word was probably meant to be. A prefix that only some candidates have is not compared, so
 * that ROLLCALL_PORT finds PORT.
 */
export function nearest(word: string, candidates: readonly string[], prefix = ''): string | undefined {
  const bare = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(bare(word), bare(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const allowed = Math.min(wrongLettersMax, Math.ceil(bare(word).length / 3));
  return best && best.distance <= allowed ? best.candidate : undefined;
}

/** Levenshtein's: how many letters have to be changed, added or removed. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
