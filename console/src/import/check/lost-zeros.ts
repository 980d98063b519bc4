import { limits } from '@rollcall/client';
import type { Dependencies } from '../state/dependencies.js';
import { missingUserOf, openRows, type Rows } from '../state/rows.js';
import type { ImportStore } from '../state/store.js';
import { verdictOf } from '../state/verdicts.js';

/** Employee IDs are rarely longer, and each length has to be tried. */
const idLengthMax = 12;
/** How many rows are tried with every length. */
const samplesMax = 200;

interface ShortID {
  readonly row: number;
  readonly id: string;
}

/**
 * Spreadsheets turn 000261 into 261. Such a row would create a user, unless it lacks what new users need. If someone has
 * the ID with zeros, offers to restore them.
 */
export async function findLostZeros(
  store: ImportStore,
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { rows, check } = store.getState();
  const column = check?.reader.idColumn;
  if (!rows || !check || column === undefined || check.state !== 'checked' || check.fix) return;
  const short = shortIDs(rows, (row) => check.reader.idOf(rows, row));
  if (short.length === 0) return;
  const tried = short.slice(0, samplesMax).flatMap(({ id }) => paddedIDs(id));
  const length = likelyLength(await existing(tried));
  if (length === undefined || signal.aborted) return;
  const padded = short.map(({ row, id }) => [row, id.padStart(length, '0')] as const);
  const found = new Set(await existing(padded.map(([, id]) => id)));
  const texts = padded.filter(([, id]) => found.has(id));
  const [first] = texts;
  if (signal.aborted || first === undefined || store.getState().check !== check) return;
  const from = check.reader.idOf(rows, first[0]);
  store.dispatch({ type: 'fixFound', fix: { why: 'lostZeros', column, texts, from } });

  async function existing(ids: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (let at = 0; at < ids.length; at += limits.bulkItemsMax) {
      found.push(...(await calls.existing(ids.slice(at, at + limits.bulkItemsMax), signal)));
    }
    return found;
  }
}

/** Rows whose employee ID is a number that no user has. */
export function shortIDs(rows: Rows, idOf: (row: number) => string): ShortID[] {
  return openRows(rows).flatMap((row) => {
    if (missingUserOf(rows, row)) return [];
    const verdict = verdictOf(rows, row);
    if (verdict !== 'new' && verdict !== 'invalid') return [];
    const id = idOf(row);
    return /^[1-9]\d*$/.test(id) && id.length < idLengthMax ? [{ row, id }] : [];
  });
}

/** The ID with one zero, two zeros, and so on. */
export function paddedIDs(id: string): string[] {
  return Array.from({ length: idLengthMax - id.length }, (_, zeros) =>
    id.padStart(id.length + zeros + 1, '0'),
  );
}

/** The length that most of the IDs have. */
export function likelyLength(ids: readonly string[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { length } of ids) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
