import { out } from './style.js';
import { cutToWidth, harmless, textWidth } from './text-width.js';

const gap = '   ';
/** Half of an ID or of a time is of no use: these are never cut. */
const whole =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)$/;
/** No column is made narrower than this to fit a terminal. */
const columnWidthMin = 12;

/** Rows of texts as columns that line up; the first row is the heading. Numbers are set to the right. */
export function table(rows: readonly (readonly string[])[], widthMax = terminalWidth()): string {
  const safe = rows.map((row) => row.map(harmless));
  const columns = safe[0]?.map((_, column) => safe.map((row) => row[column] ?? '')) ?? [];
  const widths = fitted(
    columns.map((cells) => Math.max(...cells.map(textWidth))),
    columns.map((cells) => cells.some((cell) => whole.test(cell))),
    widthMax,
  );
  const isNumber = columns.map((cells) =>
    cells.slice(1).every((cell) => /^(?:[\d–-][\d.,:%–-]*|)$/.test(cell)),
  );
  return safe
    .map((row, line) => {
      const cells = row.map((cell, column) => padded(cell, widths[column] ?? 0, isNumber[column] === true));
      const text = cells.join(gap).trimEnd();
      return line === 0 ? out.bold(text) : text;
    })
    .join('\n');
}

function padded(cell: string, width: number, toTheRight: boolean): string {
  const text = cutToWidth(cell, width);
  const space = ' '.repeat(width - textWidth(text));
  return toTheRight ? space + text : text + space;
}

/** Takes from the widest column until the row fits: a line that wraps is no longer a row. */
function fitted(widths: number[], areWhole: readonly boolean[], max: number): number[] {
  const total = () => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  const canGive = () => widths.map((width, column) => (areWhole[column] ? 0 : width));
  while (total() > max) {
    const most = Math.max(...canGive());
    if (most <= columnWidthMin) break;
    widths[canGive().indexOf(most)] = most - 1;
  }
  return widths;
}

/** In a file or a pipe nothing is cut. */
function terminalWidth(): number {
  return process.stdout.isTTY ? (process.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
}
