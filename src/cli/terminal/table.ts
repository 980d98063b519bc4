import { host, type Output } from '../host.js';
import { err, out } from './style.js';
import { sanitize, textWidth, truncateToWidth } from './text-width.js';

const gap = '   ';
/** IDs and times are useless when truncated. */
const neverTruncated =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)$/;
const columnWidthMin = 12;
/** Digits in these columns are not quantities. */
const neverNumbers = /\b(?:ID|NAME|USERNAME|PHONE|SERIAL|PARENT)$/;

/** Aligns rows in columns. The first row is the heading; numbers are right-aligned. */
export function table(
  rows: readonly (readonly string[])[],
  widthMax = terminalWidth(host().stdout),
  { bold } = out,
): string {
  const safe = rows.map((row) => row.map(sanitize));
  const columns = safe[0]?.map((_, column) => safe.map((row) => row[column] ?? '')) ?? [];
  const widths = fitted(
    columns.map((cells) => Math.max(...cells.map(textWidth))),
    columns.map((cells) => cells.some((cell) => neverTruncated.test(cell))),
    widthMax,
  );
  const isNumber = columns.map(
    ([heading = '', ...cells]) =>
      !neverNumbers.test(heading) && cells.every((cell) => /^(?:[\d–-][\d.,:%–-]*|)$/.test(cell)),
  );
  return safe
    .map((row, line) => {
      const cells = row.map((cell, column) => padded(cell, widths[column] ?? 0, isNumber[column] === true));
      const text = cells.join(gap).trimEnd();
      return line === 0 ? bold(text) : text;
    })
    .join('\n');
}

function padded(cell: string, width: number, alignRight: boolean): string {
  const text = truncateToWidth(cell, width);
  const space = ' '.repeat(width - textWidth(text));
  return alignRight ? space + text : text + space;
}

/** Narrows the widest column until rows fit without wrapping. */
function fitted(widths: number[], areFixed: readonly boolean[], max: number): number[] {
  const total = () => widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);
  const shrinkable = () => widths.map((width, column) => (areFixed[column] ? 0 : width));
  while (total() > max) {
    const most = Math.max(...shrinkable());
    if (most <= columnWidthMin) break;
    widths[shrinkable().indexOf(most)] = most - 1;
  }
  return widths;
}

/** The same as part of a message. */
export function messageTable(rows: readonly (readonly string[])[]): string {
  return table(rows, terminalWidth(host().stderr), err);
}

/** Nothing is truncated in a file or pipe. */
function terminalWidth({ isTTY, columns = 80 }: Output): number {
  return isTTY ? columns : Number.POSITIVE_INFINITY;
}
