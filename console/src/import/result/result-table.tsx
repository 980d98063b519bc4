import { useMemo } from 'react';
import { importCopy } from '../../copy/on-demand-copy.js';
import {
  type FileColumn,
  fileColumns,
  leadingColumns,
  textIn,
  useWidths,
} from '../components/file-columns.js';
import styles from '../components/import.module.css';
import { KindCell } from '../components/kind-cell.js';
import { hasChanges, hasProblem, RowNote, useOpenDetails } from '../components/row-note.js';
import { type GridColumn, RowsGrid } from '../components/rows-grid.js';
import { displayText, mappedColumns } from '../state/mapping.js';
import { missingUserOf } from '../state/rows.js';
import { useImportState } from '../state/store.js';
import { resultOf } from '../state/verdicts.js';

const copy = importCopy.result;

export function ResultTable({ visible }: { visible: readonly number[] }) {
  const { rows, format, check, mapping, attributes } = useImportState();
  const details = useOpenDetails();
  const columns = check?.reader.columns ?? mappedColumns(mapping);
  const shown = useMemo(
    () => (format ? fileColumns(mapping, format.headings, columns, attributes) : []),
    [mapping, format, columns, attributes],
  );
  const widths = useWidths(rows, shown);
  if (!rows || !format) return null;
  const leading = leadingColumns(shown, widths);
  const textOf = (column: FileColumn) => (row: number) => {
    const text = textIn(rows, row, column);
    return column.column === undefined ? text : displayText(mapping, column.column, text);
  };
  const fields = shown.map(
    (column, at): GridColumn => ({
      key: column.key,
      heading: column.heading,
      width: widths[at] ?? 0,
      sticky: leading.sticky[at],
      titleOf: textOf(column),
      cellOf: (row) => <span className={styles.line}>{textOf(column)(row)}</span>,
    }),
  );
  const result: GridColumn = {
    key: 'result',
    heading: copy.state,
    width: 168,
    cellOf: (row) => (
      <KindCell
        kind={resultOf(rows, row)}
        text={copy.states[resultOf(rows, row)]}
        details={
          hasChanges(rows, row)
            ? {
                label:
                  rows.numbers[row] === undefined
                    ? importCopy.check.detailsOf(missingUserOf(rows, row)?.employeeID ?? '')
                    : importCopy.check.details(rows.numbers[row]),
                isOpen: details.isOpen(row),
                onToggle: () => details.toggle(row),
              }
            : undefined
        }
      />
    ),
  };
  const isInvalid = (row: number) => resultOf(rows, row) === 'invalid';
  return (
    <RowsGrid
      label={copy.table}
      rows={visible}
      columns={[...fields.slice(0, leading.count), result, ...fields.slice(leading.count)]}
      numberOf={(row) => rows.numbers[row]}
      hasNote={(row) => details.isOpen(row) || (isInvalid(row) && hasProblem(rows, row))}
      noteOf={(row) => <RowNote rows={rows} row={row} showsChanges={details.isOpen(row)} />}
      isQuiet={(row) => resultOf(rows, row) === 'unchanged'}
      isWrong={isInvalid}
    />
  );
}
