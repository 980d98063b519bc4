// Copied from src/config/nearest.ts by scripts/generate-sheets.mjs.

import { editDistance } from './edit-distance.js';

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
