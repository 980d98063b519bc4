import { TableError } from '../problems.js';
import { type CellRange, isSingle, rangeOf } from './ranges.js';
import { attributesOf, scanXml } from './xml.js';
import type { Archive } from './zip.js';

export interface MergedCells {
  readonly ranges: readonly CellRange[];
  /** The first of them as the file writes them. */
  readonly named: readonly string[];
  readonly count: number;
}

/** Of ranges that are told, the rest is a number. */
const namedMax = 10;
const rangesMax = 200_000;

const none: MergedCells = { ranges: [], named: [], count: 0 };

/**
 * Finds which cells of a sheet are merged. They are listed behind the rows, and have to be known before the first row is handed
 * out, so that a sheet is unpacked once to see whether there are any; only if so is it read as XML to find them.
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

/** Whether a word of ASCII letters stands in the bytes, be they UTF-8 or UTF-16. */
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
