import { bulkCopy } from '../../copy/copy.js';
import styles from '../components/bulk.module.css';
import { RowBadge } from '../components/row-badge.js';
import { RowsTable } from '../components/rows-table.js';
import { displayText, mappedColumns } from '../state/mapping.js';
import { failureReason, type RowResult, resultOf } from '../state/rows.js';
import { useBulkState } from '../state/store.js';

const copy = bulkCopy.result;
const colors: Readonly<Record<RowResult, string>> = {
  done: 'green',
  failed: 'red',
  planned: 'yellow',
  undone: 'grape',
  unknown: 'orange',
  notSent: 'orange',
};

export function ResultTable({ visible }: { visible: readonly number[] }) {
  const { rows, format, check, mapping } = useBulkState();
  if (!rows || !format) return null;
  const columns = check?.reader.columns ?? mappedColumns(mapping);
  return (
    <RowsTable
      label={copy.table}
      rows={visible}
      columns={columns.map((column) => ({ column, heading: format.headings[column]?.name ?? '' }))}
      stateHeading={copy.state}
      numberOf={(row) => rows.numbers[row] ?? 0}
      stateOf={(row) => {
        const result = resultOf(rows, row);
        return <RowBadge color={colors[result]} text={copy.states[result]} />;
      }}
      cellOf={(row, column) => displayText(mapping, column, rows.cells[row]?.[column] ?? '')}
      noteOf={(row) => {
        const reason = resultOf(rows, row) === 'failed' ? failureReason(rows, row) : '';
        return reason === '' ? null : <span className={styles.wrongText}>{reason}</span>;
      }}
      isWrong={(row) => resultOf(rows, row) === 'failed'}
    />
  );
}
