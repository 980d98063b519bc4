import type { Highlighter } from './highlight.js';

/** Marks what the search found. */
export function Highlighted({ text, highlight }: { text: string; highlight: Highlighter | undefined }) {
  if (!highlight) return text;
  return highlight(text).map(({ text: part, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
    isMatch ? <mark key={index}>{part}</mark> : part,
  );
}
