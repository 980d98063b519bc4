/**
 * Small line charts as SVG, side by side, with a logarithmic x axis and y from zero. Readable on light and dark
 * backgrounds.
 */
export interface Panel {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
}

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The interquartile range of the measurements. */
  readonly from: number;
  readonly to: number;
}

const panelWidth = 400;
const panelHeight = 280;
const margin = { top: 44, right: 20, bottom: 50, left: 56 };
const legendHeight = 30;

export const chartStyle = `
  text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #4b5563; }
  .title { font-size: 13px; font-weight: 600; fill: #1f2937; }
  .grid { stroke: #e5e7eb; }
  .axis { stroke: #9ca3af; }
  .line { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
  .line.series1 { stroke-dasharray: 5 4; }
  .dot { fill: currentColor; }
  .band { fill: currentColor; opacity: 0.15; }
  .series0 { color: #2563eb; }
  .series1 { color: #9a6b00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #b6bdc7; }
    .title { fill: #f3f4f6; }
    .grid { stroke: #2d3440; }
    .axis { stroke: #6b7280; }
    .series0 { color: #7aa7ff; }
    .series1 { color: #f0b93a; }
  }`;

export function plotOf(panels: readonly Panel[]): string {
  const width = panels.length * panelWidth;
  const height = panelHeight + legendHeight;
  const names = panels[0]?.lines.map(({ name }) => name) ?? [];
  // One scale for all panels, so that they can be compared.
  const all = panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points));
  const yTicks = ticksUpTo(Math.max(...all.map(({ to }) => to)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(panels.map(({ title }) => title).join('; '))}</title>
<style>${chartStyle}
</style>
${panels.map((panel, index) => `<g transform="translate(${index * panelWidth} 0)">\n${panelOf(panel, yTicks)}\n</g>`).join('\n')}
${legendOf(names, width)}
</svg>
`;
}

function panelOf({ title, xLabel, yLabel, lines }: Panel, yTicks: readonly number[]): string {
  const yMax = yTicks.at(-1) ?? 1;
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
  const [xMin = 1, xMax = 10] = [xs[0], xs.at(-1)];
  const left = margin.left;
  const right = panelWidth - margin.right;
  const top = margin.top;
  const bottom = panelHeight - margin.bottom;
  const inset = 16; // so that no point is on the axis
  const x = (value: number) =>
    left + inset + (Math.log(value / xMin) / Math.log(xMax / xMin)) * (right - left - 2 * inset);
  const y = (value: number) => bottom - (value / yMax) * (bottom - top);
  return [
    `<text class="title" x="${left}" y="20">${escaped(title)}</text>`,
    `<text x="${left}" y="36">${escaped(yLabel)}</text>`,
    ...yTicks.map(
      (tick) =>
        `<line class="${tick === 0 ? 'axis' : 'grid'}" x1="${left}" x2="${right}" y1="${at(y(tick))}" y2="${at(y(tick))}"/>` +
        `<text x="${left - 8}" y="${at(y(tick) + 4)}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
    ),
    ...xs.map(
      (value) =>
        `<line class="axis" x1="${at(x(value))}" x2="${at(x(value))}" y1="${bottom}" y2="${bottom + 4}"/>` +
        `<text x="${at(x(value))}" y="${bottom + 18}" text-anchor="middle">${value.toLocaleString('en')}</text>`,
    ),
    `<text x="${(left + right) / 2}" y="${bottom + 38}" text-anchor="middle">${escaped(xLabel)}</text>`,
    ...lines.map(({ points }, series) => lineOf(points, series, x, y)),
  ].join('\n');
}

type Scale = (value: number) => number;

function lineOf(points: readonly Point[], series: number, x: Scale, y: Scale): string {
  const upper = points.map((point) => `${at(x(point.x))},${at(y(point.to))}`);
  const lower = points.toReversed().map((point) => `${at(x(point.x))},${at(y(point.from))}`);
  const middle = points.map((point) => `${at(x(point.x))},${at(y(point.y))}`);
  return [
    `<polygon class="band series${series}" points="${[...upper, ...lower].join(' ')}"/>`,
    `<polyline class="line series${series}" points="${middle.join(' ')}"/>`,
    ...points.map(
      (point) =>
        `<circle class="dot series${series}" cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="3.5"/>`,
    ),
  ].join('\n');
}

/** Centered below the panels. */
function legendOf(names: readonly string[], width: number): string {
  const entryWidth = 130;
  const first = (width - names.length * entryWidth) / 2;
  const middle = panelHeight + legendHeight / 2 - 4;
  return names
    .map((name, series) => {
      const left = first + series * entryWidth;
      return (
        `<line class="line series${series}" x1="${left}" x2="${left + 28}" y1="${middle}" y2="${middle}"/>` +
        `<circle class="dot series${series}" cx="${left + 14}" cy="${middle}" r="3.5"/>` +
        `<text x="${left + 36}" y="${middle + 4}">${escaped(name)}</text>`
      );
    })
    .join('\n');
}

/** Three to six round numbers, from zero to at least the greatest value. */
export function ticksUpTo(greatest: number): number[] {
  const rough = greatest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const count = Math.ceil((greatest / step) * 0.999);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
