import { bulkCopy } from '../../copy/bulk.js';
import { StateBadge } from '../check/check-table.js';
import styles from '../components/bulk.module.css';
import { RowsTable } from '../components/rows-table.js';
import { mappedColumns, shownText } from '../state/mapping.js';
import { type Ending, endingOf, reasonOf } from '../state/rows.js';
import type { Wizard } from '../state/wizard.js';

const copy = bulkCopy.result;
const colours: Readonly<Record<Ending, string>> = {
  done: 'green',
  failed: 'red',
  undone: 'grape',
  unknown: 'orange',
  notSent: 'orange',
};

export function ResultTable({ wizard, shown }: { wizard: Wizard; shown: readonly number[] }) {
  const { rows, format, check, mapping } = wizard;
  if (!rows || !format) return null;
  const columns = check?.checker.columns ?? mappedColumns(mapping);
  return (
    <RowsTable
      label={copy.table}
      rows={shown}
      columns={columns.map((column) => ({ column, heading: format.headings[column]?.name ?? '' }))}
      stateHeading={copy.state}
      numberOf={(row) => rows.numbers[row] ?? 0}
      stateOf={(row) => {
        const ending = endingOf(rows, row);
        return <StateBadge color={colours[ending]} text={copy.states[ending]} />;
      }}
      cellOf={(row, column) => shownText(mapping, column, rows.cells[row]?.[column] ?? '')}
      noteOf={(row) => {
        const reason = endingOf(rows, row) === 'failed' ? reasonOf(rows, row) : '';
        return reason === '' ? null : <span className={styles.wrongText}>{reason}</span>;
      }}
      isWrong={(row) => endingOf(rows, row) === 'failed'}
    />
  );
}
