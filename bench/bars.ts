import { chartStyle, escaped } from './plot.js';

/** A horizontal bar chart as SVG. Readable on light and dark backgrounds. */
export interface BarChart {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** A value that all bars are compared with. */
  readonly mark?: { readonly value: number; readonly name: string };
}

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly label: string;
  /** In a color of its own. */
  readonly stands: 'out' | 'back';
}

const width = 800;
const barLeft = 290;
const barRight = width - 90;
const top = 44;
const rowHeight = 26;

export function barsOf({ title, bars, mark }: BarChart): string {
  const bottom = top + bars.length * rowHeight;
  const height = bottom + (mark ? 30 : 10);
  const most = Math.max(...bars.map(({ value }) => value), mark?.value ?? 0);
  const x = (value: number) => barLeft + (value / most) * (barRight - barLeft);
  const rows = bars.map(({ name, value, label, stands }, index) => {
    const y = top + index * rowHeight;
    return (
      `<text x="${barLeft - 10}" y="${y + 16}" text-anchor="end">${escaped(name)}</text>` +
      `<rect class="bar ${stands === 'out' ? 'series0' : 'series1'}" x="${barLeft}" y="${y + 4}" width="${Math.max(1, Math.round(x(value) - barLeft))}" height="${rowHeight - 9}" rx="2"/>` +
      `<text x="${Math.round(x(value)) + 8}" y="${y + 16}">${escaped(label)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${chartStyle}
  .bar { fill: currentColor; }
</style>
<text class="title" x="0" y="20">${escaped(title)}</text>
${rows.join('\n')}
${mark ? markAt(Math.round(x(mark.value)), mark.name, bottom) : ''}
</svg>
`;
}

function markAt(x: number, name: string, bottom: number): string {
  return (
    `<line class="axis" x1="${x}" x2="${x}" y1="${top - 6}" y2="${bottom + 6}" stroke-dasharray="4 4"/>` +
    `<text x="${x}" y="${bottom + 22}" text-anchor="middle">${escaped(name)}</text>`
  );
}
