import { useMemo } from 'react';
import { importCopy } from '../../copy/copy.js';
import { fileColumns, leadingColumns, textIn, useWidths } from '../components/file-columns.js';
import styles from '../components/import.module.css';
import { KindCell } from '../components/kind-cell.js';
import { hasDetails, RowDetails, useOpenDetails } from '../components/row-details.js';
import { RowsTable, type TableColumn } from '../components/rows-table.js';
import { displayText, mappedColumns } from '../state/mapping.js';
import { missingUserOf } from '../state/rows.js';
import { useImportState } from '../state/store.js';
import { failureReason, resultOf } from '../state/verdicts.js';

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
  const fields = shown.map(
    (column, at): TableColumn => ({
      key: column.key,
      heading: column.heading,
      width: widths[at] ?? 0,
      sticky: leading.sticky[at],
      cellOf: (row) => {
        const text = textIn(rows, row, column);
        const shownText = column.column === undefined ? text : displayText(mapping, column.column, text);
        return (
          <span className={styles.line} title={shownText}>
            {shownText}
          </span>
        );
      },
    }),
  );
  const result: TableColumn = {
    key: 'result',
    heading: copy.state,
    width: 168,
    cellOf: (row) => (
      <KindCell
        kind={resultOf(rows, row)}
        text={copy.states[resultOf(rows, row)]}
        details={
          hasDetails(rows, row)
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
  const reason: TableColumn = {
    key: 'reason',
    heading: importCopy.invalid.problemColumn,
    width: visible.every(isInvalid) ? 400 : 250,
    cellOf: (row) => {
      const text = isInvalid(row) ? failureReason(rows, row) : '';
      return <span className={`${styles.wrapped} ${styles.wrongText}`}>{text}</span>;
    },
  };
  const hasFailures = visible.some(isInvalid);
  return (
    <RowsTable
      label={copy.table}
      rows={visible}
      columns={[
        ...fields.slice(0, leading.count),
        result,
        ...(hasFailures ? [reason] : []),
        ...fields.slice(leading.count),
      ]}
      numberOf={(row) => rows.numbers[row]}
      detailsOf={(row) => details.isOpen(row) && <RowDetails rows={rows} row={row} />}
      isQuiet={(row) => resultOf(rows, row) === 'unchanged'}
      isWrong={isInvalid}
    />
  );
}
