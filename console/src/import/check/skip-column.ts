import { fieldOf, mappedColumns, withField } from '../state/mapping.js';
import type { RowReader } from '../state/row-reader.js';
import { missingUserOf, openRows, problemsIn, type Rows } from '../state/rows.js';
import type { ColumnFix } from '../state/state.js';

/** Fewer rows are corrected one by one. */
const rowsMin = 3;
const shareMin = 0.9;

/** A column that makes nearly all rows invalid, if the import can do without it. */
export function skippableColumn(rows: Rows, { rules, idColumn }: RowReader): ColumnFix | undefined {
  const ofFile = openRows(rows).filter((row) => !missingUserOf(rows, row));
  if (ofFile.length < rowsMin) return undefined;
  const counts = new Map<number, number>();
  for (const row of ofFile) {
    const wrong = problemsIn(rows, row).filter(({ isWarning }) => !isWarning);
    for (const column of new Set(wrong.map((problem) => problem.column))) {
      if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
    }
  }
  const found = [...counts].find(
    ([column, count]) => count >= ofFile.length * shareMin && isOptional(column),
  );
  return found && { why: 'skipColumn', column: found[0], count: found[1] };

  /** Something besides the employee ID has to be left. */
  function isOptional(column: number): boolean {
    if (column === idColumn || fieldOf(rules.mapping, column) === 'newEmployeeID') return false;
    return mappedColumns(withField(rules.mapping, column, undefined)).length > 1;
  }
}
