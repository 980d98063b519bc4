/** The median and the interquartile range of the measurements. */
export interface Figures {
  readonly median: number;
  readonly p25: number;
  readonly p75: number;
  readonly rounds: number;
}

export function figuresOf(values: readonly number[]): Figures {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    p25: quantile(sorted, 0.25),
    p75: quantile(sorted, 0.75),
    rounds: sorted.length,
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export async function timedMs(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A noisy machine supports no more than three significant digits. */
export function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function spread({ p25, p75 }: Figures): string {
  return `${shown(p25)} – ${shown(p75)}`;
}

/** The ratio of two medians; NaN if one of them was not measured. */
export function ratio(a: Figures | undefined, b: Figures | undefined): number {
  return (a?.median ?? Number.NaN) / (b?.median ?? Number.NaN);
}
