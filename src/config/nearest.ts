/** Maximum number of wrong letters; in a short word, at most a third of them. */
const wrongLettersMax = 5;

/**
 * The candidate closest to a misspelled word. A prefix that only some candidates have is ignored, so that ROLLCALL_PORT
 * finds PORT.
 */
export function nearest(word: string, candidates: readonly string[], prefix = ''): string | undefined {
  const bare = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(bare(word), bare(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const allowed = Math.min(wrongLettersMax, Math.ceil(bare(word).length / 3));
  return best && best.distance <= allowed ? best.candidate : undefined;
}

/** Levenshtein distance. */
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
