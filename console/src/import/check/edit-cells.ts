import { nextTask } from '../../components/yield-to-browser.js';
import { editedAtOnceMax } from '../state/check-reducer.js';
import type { Dependencies } from '../state/dependencies.js';
import { withField } from '../state/mapping.js';
import { missingUserOf, openRows, type Rows } from '../state/rows.js';
import type { CellTexts, Fix, ImportState, TextFix } from '../state/state.js';
import type { ImportStore } from '../state/store.js';
import { isWrongIn } from '../state/verdicts.js';
import { resumeCheck, startCheck } from './run-check.js';

/** Whether the text of the cell has changed; the row is then to be checked again. */
export function editCell(store: ImportStore, row: number, column: number, text: string): boolean {
  const before = store.getState();
  store.dispatch({ type: 'cellsEdited', column, texts: [[row, text]] });
  if (store.getState() === before) return false;
  const fix = sameTextFix(before, row, column, text);
  if (fix) store.dispatch({ type: 'fixFound', fix });
  return true;
}

/** If other rows have the same wrong text in this column, offers to correct them as well. */
export function sameTextFix(
  { rows, mapping }: Pick<ImportState, 'rows' | 'mapping'>,
  row: number,
  column: number,
  text: string,
): TextFix | undefined {
  const from = rows?.cells[row]?.[column];
  if (!rows || from === undefined || !isWrongIn(rows, row, column, mapping)) return undefined;
  const same = openRows(rows).filter(
    (other) =>
      other !== row && rows.cells[other]?.[column] === from && isWrongIn(rows, other, column, mapping),
  );
  if (same.length === 0) return undefined;
  return { why: 'sameText', column, texts: same.map((other) => [other, text] as const), from };
}

export interface Replacement {
  readonly find: string;
  readonly replaceWith: string;
  /** Whether the text has to be all that is in a cell. An empty one then finds empty cells. */
  readonly isWholeCell: boolean;
}

/** What the cells of a column become. Upper and lower case differ, because in some columns they do. */
export function replacedTexts(
  rows: Rows,
  column: number,
  { find, replaceWith, isWholeCell }: Replacement,
): CellTexts {
  if (find === replaceWith || (find === '' && !isWholeCell)) return [];
  return openRows(rows).flatMap((row) => {
    if (missingUserOf(rows, row)) return [];
    const text = rows.cells[row]?.[column] ?? '';
    if (isWholeCell) return text.trim() === find ? [[row, replaceWith] as const] : [];
    return text.includes(find) ? [[row, text.replaceAll(find, () => replaceWith)] as const] : [];
  });
}

export function leaveOutRow(store: ImportStore, row: number, dependencies: Dependencies): void {
  store.dispatch({ type: 'rowLeftOut', row });
  void (store.getState().missing.isOn ? startCheck(store, dependencies) : resumeCheck(store, dependencies));
}

export function takeBackRows(store: ImportStore, dependencies: Dependencies): void {
  store.dispatch({ type: 'rowsTakenBack' });
  void startCheck(store, dependencies);
}

export function applyFix(store: ImportStore, fix: Fix, dependencies: Dependencies): void {
  if (fix.why === 'skipColumn') skipColumn(store, fix.column, dependencies);
  else editColumn(store, fix.column, fix.texts, dependencies);
}

export function editColumn(
  store: ImportStore,
  column: number,
  texts: CellTexts,
  dependencies: Dependencies,
): void {
  store.dispatch({ type: 'cellsEdited', column, texts });
  recheckEdited(store, column, texts.length, dependencies);
}

/** Takes back what was edited last. */
export function undoEdit(store: ImportStore, dependencies: Dependencies): void {
  const last = store.getState().edits.at(-1);
  if (!last) return;
  store.dispatch({ type: 'editUndone' });
  recheckEdited(store, last.column, last.before.length, dependencies);
}

function recheckEdited(store: ImportStore, column: number, count: number, dependencies: Dependencies): void {
  // To show so many new texts is enough for one task.
  if (count > editedAtOnceMax) void nextTask().then(() => startCheck(store, dependencies));
  else void recheck(store, column, dependencies);
}

function skipColumn(store: ImportStore, column: number, dependencies: Dependencies): void {
  const mapping = withField(store.getState().mapping, column, undefined);
  store.dispatch({ type: 'mappingChanged', mapping });
  void startCheck(store, dependencies);
}

/** With other employee IDs in the file, other users are missing, and other rows wait for each other. */
export async function recheck(store: ImportStore, column: number, dependencies: Dependencies): Promise<void> {
  const { missing, mapping } = store.getState();
  const { employeeID = [], newEmployeeID = [] } = mapping;
  const concernsOthers = missing.isOn || newEmployeeID.length > 0;
  const changesIDs = concernsOthers && [...employeeID, ...newEmployeeID].includes(column);
  await (changesIDs ? startCheck(store, dependencies) : resumeCheck(store, dependencies));
}
