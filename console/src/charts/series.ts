/** What the days of a chart have in common. */
export interface Series {
  readonly key: string;
  readonly label: string;
  /** One of the colors that main.css defines for both color schemes. */
  readonly color: ChartColor;
  /** One per day. */
  readonly values: readonly number[];
}

/** What the values of a day may reach, drawn as a line. */
export interface LimitSeries extends Omit<Series, 'values'> {
  /** One per day; null where there was no limit. */
  readonly values: readonly (number | null)[];
}

/** How the places of a chart are named. */
export interface Axis {
  readonly name: string;
  readonly title: (place: string) => string;
  readonly label: (place: string) => string;
  /** How to use the keyboard, if places can be opened. */
  readonly keysAndOpen: string;
}

/** A place that differs from the others, and why. */
export interface Mark {
  readonly place: string;
  readonly label: string;
}

export type ChartColor = 'blue' | 'gray' | 'green' | 'orange' | 'violet' | 'red';

export function cssColor(color: ChartColor): string {
  return `var(--chart-${color})`;
}

/** Steps that people read easily: 1, 2, 5, 10, 20, … */
function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(atLeast, 1)));
  const factor = [1, 2, 5, 10].find((each) => each * power >= atLeast) ?? 10;
  return factor * power;
}

/** Values for the axis, from zero to at least the largest value. Whole numbers, because they count something. */
export function axisTicks(max: number, intervals = 4): number[] {
  const step = niceStep(max / intervals);
  const count = Math.max(Math.ceil(max / step), 1);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Which of the days are labelled, such that labels of this width fit; always the last. */
export function labelledDays(count: number, width: number, labelWidth = 72): number[] {
  const fitting = Math.max(Math.floor(width / labelWidth), 1);
  const every = Math.max(Math.ceil(count / fitting), 1);
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % every === 0,
  );
}

interface Layer {
  /** For each day, where the layer begins and ends. */
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** Puts the values of each day on top of each other, the first series at the bottom. */
export function stacked(series: readonly { readonly values: readonly number[] }[]): Layer[] {
  const heights: number[] = [];
  return series.map(({ values }) => ({
    spans: values.map((value, day) => {
      const from = heights[day] ?? 0;
      heights[day] = from + value;
      return [from, from + value] as const;
    }),
  }));
}

export function largestSum(series: readonly { readonly values: readonly number[] }[]): number {
  const days = series[0]?.values.length ?? 0;
  return Math.max(
    0,
    ...Array.from({ length: days }, (_, day) =>
      series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
    ),
  );
}

export function largestLimit(limits: readonly LimitSeries[]): number {
  return Math.max(0, ...limits.flatMap(({ values }) => values.flatMap((value) => value ?? [])));
}

/** The outline of a layer: along its end, and back along its beginning. */
export function areaPath({ spans }: Layer, x: (day: number) => number, y: (value: number) => number): string {
  const end = spans.map(([, to], day) => `${round(x(day))},${round(y(to))}`);
  const begin = spans.map(([from], day) => `${round(x(day))},${round(y(from))}`).reverse();
  return `M${end.join('L')}L${begin.join('L')}Z`;
}

export function linePath({ spans }: Layer, x: (day: number) => number, y: (value: number) => number): string {
  return `M${spans.map(([, to], day) => `${round(x(day))},${round(y(to))}`).join('L')}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
