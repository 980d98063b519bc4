/** The middle of the measurements and the range that half of them lie in. */
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

function quantile(sorted: readonly number[], share: number): number {
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

/** Three significant digits are what a noisy machine can vouch for. */
export function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function spread({ p25, p75 }: Figures): string {
  return `${shown(p25)} – ${shown(p75)}`;
}

/** Columns of words stand to the left, columns of figures to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const [header = [], ...body] = rows;
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isFigure = header.map((_, column) => body.every((row) => /^[\d–-]/.test(row[column] ?? '')));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        isFigure[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd();
  return [line(header), widths.map((width) => '-'.repeat(width)).join('   '), ...body.map(line)].join('\n');
}
