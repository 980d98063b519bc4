import { missingUserOf, openRows } from '../state/rows.js';
import type { ImportStore } from '../state/store.js';
import { verdictOf } from '../state/verdicts.js';

/** Employee IDs in groups, such as `E 20005`, are refused. Offers to write them without the spaces. */
export function offerToJoinIDs(store: ImportStore): void {
  const { rows, check } = store.getState();
  const column = check?.reader.idColumn;
  if (!rows || !check || column === undefined) return;
  const texts = openRows(rows).flatMap((row) => {
    const id = check.reader.idOf(rows, row);
    const isRefused = !missingUserOf(rows, row) && verdictOf(rows, row) === 'invalid';
    return isRefused && spacedID.test(id) ? [[row, id.replace(/\s/gu, '')] as const] : [];
  });
  const [first] = texts;
  if (first === undefined) return;
  const from = check.reader.idOf(rows, first[0]);
  store.dispatch({ type: 'fixFound', fix: { why: 'spacedIDs', column, texts, from } });
}

/** With a digit, because words in this column are no employee IDs. */
const spacedID = /^(?=.*\d)[a-z\d]+(?:\s+[a-z\d]+)+$/iu;
