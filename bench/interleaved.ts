import { type Figures, figuresOf } from './figures.js';

/** Measures once, or returns undefined to skip the round. */
export type Measure = (round: number) => Promise<number | undefined>;

/**
 * Measures variants alternately, each round starting with another one, so that other activity on the machine affects
 * all of them equally.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  variants: Readonly<Partial<Record<Name, Measure>>>,
): Promise<Partial<Record<Name, Figures>>> {
  const entries = Object.entries<Measure | undefined>(variants);
  const measured = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of rotated(entries, round)) {
      const value = await measure?.(round);
      if (value !== undefined) measured.set(name, [...(measured.get(name) ?? []), value]);
    }
  }
  const figures = entries.flatMap(([name]) => {
    const values = measured.get(name);
    return values ? [[name, figuresOf(values)]] : [];
  });
  return Object.fromEntries(figures) as Partial<Record<Name, Figures>>;
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = by % Math.max(list.length, 1);
  return [...list.slice(start), ...list.slice(0, start)];
}
