/** What the days of a chart have in common. */
export interface Series {
  readonly key: string;
  readonly label: string;
  /** One of the colors that main.css defines for both color schemes. */
  readonly color: ChartColor;
  /** One per day. */
  readonly values: readonly number[];
}

export type ChartColor = 'blue' | 'gray' | 'green' | 'orange' | 'violet' | 'red';

export function cssColor(color: ChartColor): string {
  return `var(--chart-${color})`;
}
