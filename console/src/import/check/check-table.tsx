import { Button } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { ReleaseName } from '../../components/quarantine.js';
import { importCopy } from '../../copy/copy.js';
import {
  changeIn,
  type FileColumn,
  fileColumns,
  leadingColumns,
  textIn,
  useWidths,
} from '../components/file-columns.js';
import styles from '../components/import.module.css';
import { KindCell } from '../components/kind-cell.js';
import {
  hasDetails,
  hasProblem,
  RowDetails,
  shortProblem,
  useOpenDetails,
} from '../components/row-details.js';
import { RowsTable, type TableColumn } from '../components/rows-table.js';
import { dependencies } from '../state/dependencies.js';
import { displayText, fieldOf } from '../state/mapping.js';
import { missingUserOf, type Rows } from '../state/rows.js';
import { useImportState, useImportStore } from '../state/store.js';
import { isWrongIn, verdictOf } from '../state/verdicts.js';
import { editCell, recheck } from './edit-cells.js';
import { EditableCell } from './editable-cell.js';
import { recheckRow } from './run-check.js';

const copy = importCopy.check;
/** Several edits in a row share one preview. */
const previewDelayMs = 400;
const kindWidth = 168;
/** If every row has a problem, the problems are what matters. */
const problemWidths = { some: 320, all: 440 };

interface CheckTableProps {
  readonly visible: readonly number[];
  readonly onEdited: (row: number) => void;
}

export function CheckTable({ visible, onEdited }: CheckTableProps) {
  const store = useImportStore();
  const { rows, format, check } = useImportState();
  const timer = useRef<number>(undefined);
  const details = useOpenDetails();
  const reader = check?.reader;
  const shown = useMemo(
    () =>
      reader && format
        ? fileColumns(reader.rules.mapping, format.headings, reader.columns, reader.rules.attributes)
        : [],
    [reader, format],
  );
  const widths = useWidths(rows, shown);
  const problems = useMemo(() => (rows ? problemsIn(rows, visible) : 'none'), [rows, visible]);
  if (!rows || !reader) return null;
  const { mapping } = reader.rules;
  const save = (row: number, column: number, text: string) => {
    if (!editCell(store, row, column, text)) return;
    onEdited(row);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void recheck(store, column, dependencies), previewDelayMs);
  };
  const cellOf = (row: number, shownColumn: FileColumn) => {
    const { column, heading } = shownColumn;
    const text = textIn(rows, row, shownColumn);
    const change = changeIn(rows, row, shownColumn);
    if (column === undefined || missingUserOf(rows, row)) {
      return <ReadOnlyCell text={text} change={change} />;
    }
    return (
      <EditableCell
        heading={heading}
        number={rows.numbers[row] ?? 0}
        text={rows.cells[row]?.[column] ?? ''}
        shown={displayText(mapping, column, text)}
        change={change}
        isInvalid={isWrongIn(rows, row, column, fieldOf(mapping, column))}
        contextOf={() => ({
          name: shownColumn.field === 'name' ? '' : nameIn(rows, row, shown),
          problem: shortProblem(rows, row),
        })}
        onEdit={(next) => save(row, column, next)}
      />
    );
  };
  const leading = leadingColumns(shown, widths);
  const toColumn = (column: FileColumn, at: number): TableColumn => ({
    key: column.key,
    heading: column.heading,
    width: widths[at] ?? 0,
    sticky: leading.sticky[at],
    cellOf: (row) => cellOf(row, column),
  });
  const fields = shown.map(toColumn);
  const kind: TableColumn = {
    key: 'kind',
    heading: copy.state,
    width: kindWidth,
    cellOf: (row) => (
      <KindCell
        kind={verdictOf(rows, row)}
        text={copy.states[verdictOf(rows, row)]}
        details={
          hasDetails(rows, row)
            ? {
                label: detailsLabel(rows, row),
                isOpen: details.isOpen(row),
                onToggle: () => details.toggle(row),
              }
            : undefined
        }
      />
    ),
  };
  const problem: TableColumn = {
    key: 'problem',
    heading: importCopy.invalid.problemColumn,
    width: problems === 'all' ? problemWidths.all : problemWidths.some,
    cellOf: (row) => <ShortProblem rows={rows} row={row} />,
  };
  const hasMissing = rows.missing.length > 0;
  const keep: TableColumn = {
    key: 'keep',
    heading: copy.notInFileColumn,
    width: 150,
    cellOf: (row) => <KeepActive rows={rows} row={row} />,
  };
  return (
    <RowsTable
      label={copy.table}
      rows={visible}
      columns={[
        ...fields.slice(0, leading.count),
        kind,
        ...(problems === 'none' ? [] : [problem]),
        ...fields.slice(leading.count),
        ...(hasMissing ? [keep] : []),
      ]}
      numberOf={(row) => rows.numbers[row]}
      detailsOf={(row) =>
        details.isOpen(row) && (
          <RowDetails rows={rows} row={row}>
            <ReleaseQuarantined rows={rows} row={row} />
          </RowDetails>
        )
      }
      isQuiet={(row) => verdictOf(rows, row) === 'unchanged'}
      isWrong={(row) => verdictOf(rows, row) === 'invalid'}
    />
  );
}

function nameIn(rows: Rows, row: number, columns: readonly FileColumn[]): string {
  const name = columns.find(({ field }) => field === 'name');
  return name ? textIn(rows, row, name) : '';
}

function problemsIn(rows: Rows, visible: readonly number[]): 'none' | 'some' | 'all' {
  const isProblematic = (row: number) => hasProblem(rows, row);
  if (!visible.some(isProblematic)) return 'none';
  return visible.every(isProblematic) ? 'all' : 'some';
}

function detailsLabel(rows: Rows, row: number): string {
  const number = rows.numbers[row];
  return number === undefined
    ? copy.detailsOf(missingUserOf(rows, row)?.employeeID ?? '')
    : copy.details(number);
}

function ReadOnlyCell({ text, change }: { text: string; change: ReturnType<typeof changeIn> }) {
  return (
    <span className={styles.line} title={text}>
      {change ? (
        <>
          {change.before === '' ? copy.empty : <del className={styles.before}>{change.before}</del>}
          <span aria-hidden> → </span>
          <ins className={styles.after}>{change.after || copy.empty}</ins>
        </>
      ) : (
        text
      )}
    </span>
  );
}

function ShortProblem({ rows, row }: { rows: Rows; row: number }) {
  const problem = shortProblem(rows, row);
  if (!problem) return null;
  return (
    <span className={`${styles.wrapped} ${problem.isWarning ? styles.warningText : styles.wrongText}`}>
      {problem.text}
    </span>
  );
}

function ReleaseQuarantined({ rows, row }: { rows: Rows; row: number }) {
  const store = useImportStore();
  const preview = rows.previews[row];
  const name = preview?.kind === 'rejected' ? preview.quarantined : undefined;
  if (!name) return null;
  return (
    <ReleaseName name={name} size="compact-sm" onReleased={() => void recheckRow(store, row, dependencies)} />
  );
}

function KeepActive({ rows, row }: { rows: Rows; row: number }) {
  const store = useImportStore();
  const user = missingUserOf(rows, row);
  if (!user) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={copy.keepActiveLabel(user.name)}
      onClick={() => store.dispatch({ type: 'missingUserKept', row })}
    >
      {copy.keepActive}
    </Button>
  );
}
