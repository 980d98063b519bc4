import { limits } from '@rollcall/client';
import type { Dependencies } from '../state/dependencies.js';
import { missingUserOf, openRows, type Rows } from '../state/rows.js';
import type { ImportStore } from '../state/store.js';
import { verdictOf } from '../state/verdicts.js';

/** Employee IDs are rarely longer, and each length has to be tried. */
const idLengthMax = 12;
/** How many rows are tried with every length. */
const samplesMax = 200;
/** Fewer employee IDs don't show what is usual. */
const usualCountMin = 10;
/** Numbers that are simply counted up have at most 90% of one length. */
const usualShareMin = 0.95;

interface ShortID {
  readonly row: number;
  readonly id: string;
}

/**
 * Spreadsheets turn 000261 into 261. Such a row would create a user, unless it lacks what new users need. If nearly all
 * employee IDs have the same number of digits, offers to restore the zeros in every row; otherwise, in the rows where
 * someone has the ID with zeros.
 */
export async function findLostZeros(
  store: ImportStore,
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { rows, check } = store.getState();
  const column = check?.reader.idColumn;
  if (!rows || !check || column === undefined || check.state !== 'checked') return;
  const idOf = (row: number) => check.reader.idOf(rows, row);
  const short = shortIDs(rows, idOf);
  if (short.length === 0) return;
  const digits = usualDigits(await calls.someIDs(signal)) ?? usualDigits(idsInFile(rows, idOf));
  const texts = digits === undefined ? await ofExisting() : padded(digits);
  if (signal.aborted || store.getState().check !== check) return;
  if (digits !== undefined) store.dispatch({ type: 'learned', knowledge: { usualDigits: digits } });
  const [first] = texts;
  if (first === undefined) return;
  const from = idOf(first[0]);
  store.dispatch({ type: 'fixFound', fix: { why: 'lostZeros', column, texts, from, digits } });

  function padded(length: number): (readonly [number, string])[] {
    return short.filter(({ id }) => id.length < length).map(({ row, id }) => [row, id.padStart(length, '0')]);
  }

  async function ofExisting(): Promise<(readonly [number, string])[]> {
    const tried = short.slice(0, samplesMax).flatMap(({ id }) => paddedIDs(id));
    const length = likelyLength(await existing(tried));
    if (length === undefined || signal.aborted) return [];
    const found = new Set(await existing(padded(length).map(([, id]) => id)));
    return padded(length).filter(([, id]) => found.has(id));
  }

  async function existing(ids: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (let at = 0; at < ids.length; at += limits.bulkItemsMax) {
      found.push(...(await calls.existing(ids.slice(at, at + limits.bulkItemsMax), signal)));
    }
    return found;
  }
}

function idsInFile(rows: Rows, idOf: (row: number) => string): string[] {
  return openRows(rows).flatMap((row) => (missingUserOf(rows, row) ? [] : [idOf(row)]));
}

/** Rows whose employee ID is a number that no user has. */
export function shortIDs(rows: Rows, idOf: (row: number) => string): ShortID[] {
  return openRows(rows).flatMap((row) => {
    if (missingUserOf(rows, row)) return [];
    const verdict = verdictOf(rows, row);
    if (verdict !== 'created' && verdict !== 'invalid') return [];
    const id = idOf(row);
    return /^[1-9]\d*$/.test(id) && id.length < idLengthMax ? [{ row, id }] : [];
  });
}

/** How many digits the employee IDs have, if nearly all are numbers of the same length. */
export function usualDigits(ids: readonly string[]): number | undefined {
  if (ids.length < usualCountMin) return undefined;
  const length = likelyLength(ids.filter((id) => /^\d+$/.test(id)));
  const usual = ids.filter((id) => id.length === length && /^\d+$/.test(id));
  return usual.length >= ids.length * usualShareMin ? length : undefined;
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
