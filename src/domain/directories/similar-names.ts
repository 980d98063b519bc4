import { foldedWords } from '../indexing/fold.js';
import type { YieldingTask } from '../yielding-task.js';

/** What names are compared by: pairs of letters of their words. */
interface Shape {
  readonly pairs: ReadonlyMap<string, number>;
  readonly count: number;
}

/** The share of pairs that two names have in common: half of them, or it is another word. */
const similarityMin = 0.5;
export const similarMax = 3;

interface Named {
  readonly serial: string;
  readonly displayName: string | null;
}

/** For each name, the entries that look most like it, best first. Typing errors and other word orders are similar. */
export function* similarEntries<E extends Named>(
  names: readonly string[],
  entries: readonly E[],
): YieldingTask<Map<string, E[]>> {
  const shapes: { readonly entry: E; readonly shapes: readonly Shape[] }[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at % 100 === 99) yield;
    const { serial, displayName } = entry;
    shapes.push({
      entry,
      shapes: displayName === null ? [shapeOf(serial)] : [shapeOf(displayName), shapeOf(serial)],
    });
  }
  const similar = new Map<string, E[]>();
  for (const name of names) {
    yield;
    const shape = shapeOf(name);
    const found = shapes
      .map((each) => ({
        entry: each.entry,
        similarity: Math.max(...each.shapes.map((other) => similarity(shape, other))),
      }))
      .filter((each) => each.similarity >= similarityMin)
      .sort((a, b) => b.similarity - a.similarity);
    similar.set(
      name,
      found.slice(0, similarMax).map(({ entry }) => entry),
    );
  }
  return similar;
}

/** The first letter of a word counts as a pair, so that short words are not all different. */
function shapeOf(name: string): Shape {
  const pairs = new Map<string, number>();
  let count = 0;
  for (const word of foldedWords(name)) {
    const letters = [' ', ...word];
    for (let at = 1; at < letters.length; at++, count++) {
      const pair = `${letters[at - 1]}${letters[at]}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
  }
  return { pairs, count };
}

/** The Sørensen–Dice coefficient. */
function similarity(a: Shape, b: Shape): number {
  if (a.count === 0 || b.count === 0) return 0;
  let shared = 0;
  for (const [pair, count] of a.pairs) shared += Math.min(count, b.pairs.get(pair) ?? 0);
  return (2 * shared) / (a.count + b.count);
}
