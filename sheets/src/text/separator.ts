import { isBlank } from '../row.js';
import { createCsvScanner, type Separator } from './csv-scanner.js';

const candidates: readonly Separator[] = ['\t', ';', ',', '|'];
const rowsLooked = 50;

/**
 * The separator that splits the most rows into as many cells as there are headings; in a tie, into more cells. Titles
 * above the headings are single cells.
 */
export function guessSeparator(sample: string, isWhole: boolean): Separator {
  let best: { separator: Separator; agreeing: number; width: number } = {
    separator: ',',
    agreeing: -1,
    width: 0,
  };
  for (const separator of candidates) {
    const rows = rowWidths(sample, isWhole, separator);
    const [width, ...widths] = rows.slice(rows.findIndex((cells) => cells > 1));
    if (width === undefined || width < 2) continue;
    const agreeing = widths.filter((other) => other === width).length;
    if (agreeing > best.agreeing || (agreeing === best.agreeing && width > best.width)) {
      best = { separator, agreeing, width };
    }
  }
  return best.separator;
}

function rowWidths(sample: string, isWhole: boolean, separator: Separator): number[] {
  const scanner = createCsvScanner(separator, { rowCharactersMax: Infinity, columnsMax: Infinity });
  const rows = scanner.push(sample);
  // Otherwise the last row is incomplete and doesn't count.
  if (isWhole) rows.push(...scanner.push('\n'));
  return rows
    .filter(({ cells }) => !isBlank(cells))
    .slice(0, rowsLooked)
    .map(({ cells }) => cells.length);
}
