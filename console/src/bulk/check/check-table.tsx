import type { FieldName } from '@rollcall/sheets';
import { useRef } from 'react';
import { bulkCopy, commonCopy } from '../../copy/copy.js';
import styles from '../components/bulk.module.css';
import { RowBadge } from '../components/row-badge.js';
import { RowsTable } from '../components/rows-table.js';
import { dependencies } from '../state/dependencies.js';
import { displayText, fieldOf } from '../state/mapping.js';
import type { RowReader } from '../state/row-reader.js';
import { isDeactivation, isRename, type Rows, verdictOf } from '../state/rows.js';
import { useBulkState, useBulkStore } from '../state/store.js';
import { EditableCell } from './editable-cell.js';
import { editCell, resumeCheck } from './run-check.js';

const copy = bulkCopy.check;
/** Several edits in a row share one preview. */
const previewDelayMs = 400;

interface CheckTableProps {
  readonly visible: readonly number[];
  readonly onEdited: (row: number) => void;
}

export function CheckTable({ visible, onEdited }: CheckTableProps) {
  const store = useBulkStore();
  const { rows, format, check } = useBulkState();
  const timer = useRef<number>(undefined);
  if (!rows || !format || !check) return null;
  const { reader } = check;
  const { mapping } = reader.rules;
  const save = (row: number, column: number, text: string) => {
    if (!editCell(store, row, column, text)) return;
    onEdited(row);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void resumeCheck(store, dependencies), previewDelayMs);
  };
  const columns = reader.columns.map((column) => ({
    column,
    heading: format.headings[column]?.name ?? '',
  }));
  return (
    <RowsTable
      label={copy.table}
      rows={visible}
      columns={columns}
      stateHeading={copy.state}
      numberOf={(row) => rows.numbers[row] ?? 0}
      stateOf={(row) => <RowVerdict rows={rows} row={row} />}
      cellOf={(row, column, heading) => (
        <EditableCell
          heading={heading}
          number={rows.numbers[row] ?? 0}
          text={rows.cells[row]?.[column] ?? ''}
          shown={displayText(mapping, column, rows.cells[row]?.[column] ?? '')}
          change={changeOf(rows, row, reader, column)}
          isInvalid={
            rows.problems[row]?.some((problem) => problem.column === column && !problem.isWarning) ?? false
          }
          onEdit={(text) => save(row, column, text)}
        />
      )}
      noteOf={(row) => noteOf(rows, row)}
      isQuiet={(row) => verdictOf(rows, row) === 'unchanged'}
      isWrong={(row) => verdictOf(rows, row) === 'error'}
    />
  );
}

function RowVerdict({ rows, row }: { rows: Rows; row: number }) {
  const verdict = verdictOf(rows, row);
  const preview = rows.previews[row];
  if (verdict === 'error') return <RowBadge color="red" text={copy.states.error} />;
  if (verdict === 'waiting') return copy.states.waiting;
  if (verdict === 'unchanged') return copy.states.unchanged;
  if (preview?.kind === 'created') return <RowBadge color="green" text={copy.states.created} />;
  if (isDeactivation(preview)) return <RowBadge color="orange" text={copy.states.deactivated} />;
  if (isRename(preview)) return <RowBadge color="grape" text={copy.states.renamed} />;
  return <RowBadge color="blue" text={copy.states.updated} />;
}

function noteOf(rows: Rows, row: number) {
  const preview = rows.previews[row];
  const problems = rows.problems[row] ?? [];
  const rejection = preview?.kind === 'rejected' ? preview.message : undefined;
  if (problems.length === 0 && rejection === undefined) return null;
  return (
    <>
      {problems.map(({ text, isWarning }) => (
        <span key={text} className={isWarning ? styles.warningText : styles.wrongText}>
          {text}
        </span>
      ))}
      {rejection !== undefined && <span className={styles.wrongText}>{rejection}</span>}
    </>
  );
}

/** The column of the new employee ID shows the change of the employee ID. */
function changeOf(rows: Rows, row: number, { rules: { mapping } }: RowReader, column: number) {
  const preview = rows.previews[row];
  if (preview?.kind !== 'updated') return undefined;
  const field = fieldOf(mapping, column);
  if (field === undefined || field === 'employeeID' || mapping[field]?.[0] !== column) return undefined;
  const key = field === 'newEmployeeID' ? 'employeeID' : field;
  const change = (preview.fields as Partial<Record<FieldName, { before?: unknown; after?: unknown }>>)[key];
  return change && { before: asText(change.before), after: asText(change.after) };
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? commonCopy.active : commonCopy.inactive;
  return Array.isArray(value) ? value.join(', ') : String(value);
}
