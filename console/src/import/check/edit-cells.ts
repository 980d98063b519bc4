import { nextTask } from '../../components/yield-to-browser.js';
import { editedAtOnceMax } from '../state/check-reducer.js';
import type { Dependencies } from '../state/dependencies.js';
import { withField } from '../state/mapping.js';
import { openRows } from '../state/rows.js';
import type { Fix, ImportState } from '../state/state.js';
import type { ImportStore } from '../state/store.js';
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

/** If other rows have the same invalid text in this column, offers to correct them as well. */
export function sameTextFix(
  { rows }: ImportState,
  row: number,
  column: number,
  text: string,
): Fix | undefined {
  const from = rows?.cells[row]?.[column];
  if (!rows || from === undefined || !isInvalidCell(row)) return undefined;
  const same = openRows(rows).filter(
    (other) => other !== row && rows.cells[other]?.[column] === from && isInvalidCell(other),
  );
  if (same.length === 0) return undefined;
  return { why: 'sameText', column, texts: same.map((other) => [other, text] as const), from };

  function isInvalidCell(of: number): boolean {
    return rows?.problems[of]?.some((problem) => problem.column === column && !problem.isWarning) ?? false;
  }
}

export function applyFix(store: ImportStore, fix: Fix, dependencies: Dependencies): void {
  const { column } = fix;
  if (fix.why === 'skipColumn') {
    skipColumn(store, column, dependencies);
    return;
  }
  store.dispatch({ type: 'cellsEdited', column, texts: fix.texts });
  // To show so many new texts is enough for one task.
  if (fix.texts.length > editedAtOnceMax) void nextTask().then(() => startCheck(store, dependencies));
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
