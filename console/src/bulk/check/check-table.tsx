import { Badge } from '@mantine/core';
import type { FieldName } from '@rollcall/sheets';
import { useRef } from 'react';
import { bulkCopy } from '../../copy/bulk.js';
import { commonCopy } from '../../copy/common.js';
import styles from '../components/bulk.module.css';
import { RowsTable } from '../components/rows-table.js';
import { tools } from '../state/dependencies.js';
import { fieldOf, shownText } from '../state/mapping.js';
import { deactivates, type Rows, renames, verdictOf } from '../state/rows.js';
import type { Wizard } from '../state/wizard.js';
import { type Check, goOnChecking, mend } from './check.js';
import { MendCell } from './editable-cell.js';

const copy = bulkCopy.check;
/** Several cells that are mended one after the other are previewed together. */
const pauseBeforePreviewMs = 400;

interface CheckTableProps {
  readonly wizard: Wizard;
  readonly check: Check;
  readonly shown: readonly number[];
  readonly onMended: (row: number) => void;
}

export function CheckTable({ wizard, check, shown, onMended }: CheckTableProps) {
  const due = useRef<number>(undefined);
  const { rows, format } = wizard;
  if (!rows || !format) return null;
  const save = (row: number, column: number, text: string) => {
    if (!mend(wizard, row, column, text)) return;
    onMended(row);
    clearTimeout(due.current);
    due.current = window.setTimeout(() => void goOnChecking(wizard, tools), pauseBeforePreviewMs);
  };
  const columns = check.checker.columns.map((column) => ({
    column,
    heading: format.headings[column]?.name ?? '',
  }));
  return (
    <RowsTable
      label={copy.table}
      rows={shown}
      columns={columns}
      stateHeading={copy.state}
      numberOf={(row) => rows.numbers[row] ?? 0}
      stateOf={(row) => <RowState rows={rows} row={row} />}
      cellOf={(row, column, heading) => (
        <MendCell
          heading={heading}
          number={rows.numbers[row] ?? 0}
          text={rows.cells[row]?.[column] ?? ''}
          shown={shownText(check.checker.rules.mapping, column, rows.cells[row]?.[column] ?? '')}
          change={changeOf(rows, row, check, column)}
          isWrong={
            rows.problems[row]?.some((problem) => problem.column === column && !problem.isWarning) ?? false
          }
          onMend={(text) => save(row, column, text)}
        />
      )}
      noteOf={(row) => noteOf(rows, row)}
      isQuiet={(row) => verdictOf(rows, row) === 'unchanged'}
      isWrong={(row) => verdictOf(rows, row) === 'wrong'}
    />
  );
}

function RowState({ rows, row }: { rows: Rows; row: number }) {
  const verdict = verdictOf(rows, row);
  const preview = rows.previews[row];
  if (verdict === 'wrong') return <StateBadge color="red" text={copy.states.wrong} />;
  if (verdict === 'waiting') return copy.states.waiting;
  if (verdict === 'unchanged') return copy.states.unchanged;
  if (preview?.kind === 'created') return <StateBadge color="green" text={copy.states.created} />;
  if (deactivates(preview)) return <StateBadge color="orange" text={copy.states.deactivated} />;
  if (renames(preview)) return <StateBadge color="grape" text={copy.states.renamed} />;
  return <StateBadge color="blue" text={copy.states.updated} />;
}

export function StateBadge({ color, text }: { color: string; text: string }) {
  return (
    <Badge variant="outline" color={`var(--bulk-${color})`}>
      {text}
    </Badge>
  );
}

function noteOf(rows: Rows, row: number) {
  const preview = rows.previews[row];
  const problems = rows.problems[row] ?? [];
  const refused = preview?.kind === 'refused' ? preview.detail : undefined;
  if (problems.length === 0 && refused === undefined) return null;
  return (
    <>
      {problems.map(({ text, isWarning }) => (
        <span key={text} className={isWarning ? styles.warningText : styles.wrongText}>
          {text}
        </span>
      ))}
      {refused !== undefined && <span className={styles.wrongText}>{refused}</span>}
    </>
  );
}

/** What changes at the field of a column: a new employee ID changes the employee ID. */
function changeOf(rows: Rows, row: number, { checker }: Check, column: number) {
  const preview = rows.previews[row];
  if (preview?.kind !== 'updated') return undefined;
  const { mapping } = checker.rules;
  const field = fieldOf(mapping, column);
  if (field === undefined || field === 'employeeID' || mapping[field]?.[0] !== column) return undefined;
  const key = field === 'newEmployeeID' ? 'employeeID' : field;
  const change = (preview.fields as Partial<Record<FieldName, { before?: unknown; after?: unknown }>>)[key];
  return change && { before: asText(change.before) || copy.empty, after: asText(change.after) || copy.empty };
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? commonCopy.active : commonCopy.inactive;
  return Array.isArray(value) ? value.join(', ') : String(value);
}
