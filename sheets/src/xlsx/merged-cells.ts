import { TableError } from '../problems.js';
import { type CellRange, isSingle, rangeOf } from './ranges.js';
import { attributesOf, scanXml } from './xml.js';
import type { Archive } from './zip.js';

export interface MergedCells {
  readonly ranges: readonly CellRange[];
  /** The first ones, as written in the file. */
  readonly named: readonly string[];
  readonly count: number;
}

/** How many ranges are listed; the rest are only counted. */
const namedMax = 10;
const rangesMax = 200_000;

const none: MergedCells = { ranges: [], named: [], count: 0 };

/**
 * Finds the merged cells of a sheet. They are listed after the rows but must be known before the first row is emitted,
 * so the sheet is inflated once to check whether there are any, and parsed only if there are.
 */
export async function readMergedCells(archive: Archive, part: string): Promise<MergedCells> {
  if (!(await holds(archive.read(part), 'mergeCell'))) return none;
  const ranges: CellRange[] = [];
  const named: string[] = [];
  let count = 0;
  await scanXml(archive.read(part), part, {
    open: (tag, attributes) => {
      if (tag !== 'mergeCell') return;
      const { ref = '' } = attributesOf(attributes);
      const range = rangeOf(ref);
      if (range === undefined || ++count > rangesMax)
        throw new TableError({ code: 'WORKBOOK_DAMAGED', part });
      if (named.length < namedMax) named.push(ref);
      if (!isSingle(range)) ranges.push(range);
    },
  });
  return { ranges, named, count };
}

/** Whether the bytes contain an ASCII word, in UTF-8 or UTF-16. */
async function holds(chunks: AsyncIterable<Uint8Array>, word: string): Promise<boolean> {
  const latin1 = new TextDecoder('latin1');
  const wide = [...word].join('\0');
  let end = '';
  for await (const chunk of chunks) {
    const text = end + latin1.decode(chunk);
    if (text.includes(word) || text.includes(wide)) return true;
    end = text.slice(-2 * word.length);
  }
  return false;
}
