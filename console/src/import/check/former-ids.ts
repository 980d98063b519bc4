import { forEachInSlices } from '../../components/yield-to-browser.js';
import type { Dependencies } from '../state/dependencies.js';
import { isNobodys } from '../state/findings.js';
import { missingUserOf, openRows } from '../state/rows.js';
import type { TextFix } from '../state/state.js';
import type { ImportStore } from '../state/store.js';

/** Each hundred is a request. A file with more new employee IDs is rather the first one than one with former ones. */
const idsAskedMax = 2_000;

/** Asks which of the employee IDs that nobody has are former ones. */
export async function findFormerHolders(
  store: ImportStore,
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { rows, check } = store.getState();
  if (!rows || !check) return;
  const known = check.knowledge.formerHolders;
  const unknown = new Set<string>();
  const room = idsAskedMax - known.size;
  await forEachInSlices(openRows(rows), (row) => {
    if (unknown.size >= room || missingUserOf(rows, row) || !isNobodys(rows, row)) return;
    const id = check.reader.idOf(rows, row);
    if (id !== '' && !known.has(id)) unknown.add(id);
  });
  const asked = [...unknown];
  if (asked.length === 0) return;
  const found = await calls.formerHolders(asked, signal);
  if (signal.aborted) return;
  const formerHolders = new Map(store.getState().check?.knowledge.formerHolders);
  for (const id of asked) formerHolders.set(id, found.get(id));
  store.dispatch({ type: 'learned', knowledge: { formerHolders } });
}

/** A single row offers its correction itself. */
export function offerCurrentIDs(store: ImportStore): void {
  const { rows, check } = store.getState();
  const column = check?.reader.idColumn;
  if (!rows || !check || column === undefined) return;
  const texts: TextFix['texts'] = [...rows.findings].flatMap(([row, findings]) => {
    const found = findings.find(({ suggestion }) => suggestion !== undefined);
    return found?.suggestion === undefined ? [] : [[row, found.suggestion] as const];
  });
  const [first, ...others] = texts;
  if (!first || others.length === 0) return;
  const from = check.reader.idOf(rows, first[0]);
  store.dispatch({ type: 'fixFound', fix: { why: 'formerIDs', column, texts, from } });
}
