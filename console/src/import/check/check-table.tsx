import { Button } from '@mantine/core';
import { type Ref, useMemo, useRef, useState } from 'react';
import { ReleaseName } from '../../components/quarantine.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import {
  changeIn,
  entriesIn,
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
import { dependencies } from '../state/dependencies.js';
import { displayText } from '../state/mapping.js';
import { missingUserOf, type Rows } from '../state/rows.js';
import { useImportState, useImportStore } from '../state/store.js';
import { failureReason, isWrongIn, problemColumns, verdictOf } from '../state/verdicts.js';
import { editCell, leaveOutRow, recheck, undoEdit } from './edit-cells.js';
import { CellEditor, CellText, EntryText } from './editable-cell.js';
import { ReplaceDialog } from './replace-dialog.js';
import { recheckRow } from './run-check.js';

const copy = importCopy.check;
/** Several edits in a row share one preview. */
const previewDelayMs = 400;
const kindWidth = 168;

interface CheckTableProps {
  readonly visible: readonly number[];
  /** Leaves out columns in which nothing is wrong. */
  readonly onlyProblems: boolean;
  readonly onEdited: (row: number) => void;
  readonly ref: Ref<HTMLElement>;
}

interface Editing {
  readonly row: number;
  readonly column: number;
  /** What the editor starts with. */
  readonly text: string;
}

export function CheckTable({ visible, onlyProblems, onEdited, ref }: CheckTableProps) {
  const store = useImportStore();
  const { rows, check } = useImportState();
  const timer = useRef<number>(undefined);
  const details = useOpenDetails();
  const [editing, setEditing] = useState<Editing>();
  const [replacing, setReplacing] = useState<FileColumn>();
  const [edited, setEdited] = useState<number>();
  const shown = useShownColumns(visible, onlyProblems);
  const widths = useWidths(rows, shown);
  if (!rows || !check) return null;
  const { mapping } = check.reader.rules;
  const save = (row: number, column: number, text: string) => {
    if (!editCell(store, row, column, text)) return;
    onEdited(row);
    setEdited(row);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void recheck(store, column, dependencies), previewDelayMs);
  };
  const leading = leadingColumns(shown, widths);
  const toColumn = (shownColumn: FileColumn, at: number): GridColumn => {
    const { column, heading, key } = shownColumn;
    const base = { key, heading, width: widths[at] ?? 0, sticky: leading.sticky[at] };
    const textOf = (row: number) => {
      const text = textIn(rows, row, shownColumn);
      return column === undefined ? text : displayText(mapping, column, text);
    };
    const cell = (row: number) => {
      const entries = entriesIn(rows, row, shownColumn, check.reader);
      return (
        <span className={styles.line}>
          {entries ? (
            <EntryText {...entries} written={textOf(row)} />
          ) : (
            <CellText text={textOf(row)} change={changeIn(rows, row, shownColumn)} />
          )}
        </span>
      );
    };
    if (column === undefined) return { ...base, titleOf: textOf, cellOf: cell };
    const isWrong = (row: number) => isWrongIn(rows, row, column, mapping);
    return {
      ...base,
      titleOf: textOf,
      isWrong,
      cellOf: (row, problemID) =>
        editing?.row === row && editing.column === column ? (
          <CellEditor
            label={copy.editLabel(heading, rows.numbers[row] ?? 0)}
            text={editing.text}
            isWrong={isWrong(row)}
            problemID={problemID}
            onDone={(text) => {
              setEditing(undefined);
              if (text !== undefined) save(row, column, text);
            }}
          />
        ) : (
          cell(row)
        ),
      onKey: (row, key) => {
        if (missingUserOf(rows, row)) return false;
        const text = textAfter(key, rows.cells[row]?.[column] ?? '');
        if (text === undefined) return false;
        if (key === 'Delete') save(row, column, text);
        else setEditing({ row, column, text });
        return true;
      },
      onHeading: () => setReplacing(shownColumn),
    };
  };
  const fields = shown.map(toColumn);
  const kind: GridColumn = {
    key: 'kind',
    heading: copy.state,
    width: kindWidth,
    cellOf: (row) => (
      <KindCell
        kind={verdictOf(rows, row)}
        text={copy.states[verdictOf(rows, row)]}
        details={
          hasChanges(rows, row)
            ? {
                label: detailsLabel(rows, row),
                isOpen: details.isOpen(row),
                onToggle: () => details.toggle(row),
              }
            : undefined
        }
      />
    ),
    onKey: (row, key) => {
      if (key !== 'Enter' || !hasChanges(rows, row)) return false;
      details.toggle(row);
      return true;
    },
  };
  const keep: GridColumn = {
    key: 'keep',
    heading: copy.notInFileColumn,
    width: 150,
    cellOf: (row) => <KeepActive rows={rows} row={row} />,
  };
  return (
    <>
      <RowsGrid
        ref={ref}
        label={copy.table}
        rows={visible}
        columns={[
          ...fields.slice(0, leading.count),
          kind,
          ...fields.slice(leading.count),
          ...(rows.missing.length > 0 ? [keep] : []),
        ]}
        numberOf={(row) => rows.numbers[row]}
        noteOf={(row) => (
          <RowNote
            rows={rows}
            row={row}
            showsChanges={details.isOpen(row)}
            onUse={(column, text) => save(row, column, text)}
            {...(missingUserOf(rows, row) ? {} : { onLeaveOut: () => leaveOutRow(store, row, dependencies) })}
          >
            <ReleaseQuarantined rows={rows} row={row} />
          </RowNote>
        )}
        hasNote={(row) => details.isOpen(row) || hasProblem(rows, row)}
        isQuiet={(row) => verdictOf(rows, row) === 'unchanged'}
        isWrong={(row) => verdictOf(rows, row) === 'invalid'}
        onNumberKey={(row, key) => {
          if (missingUserOf(rows, row)) return false;
          if (key === 'Delete') leaveOutRow(store, row, dependencies);
          else if (key === 'Enter' || key === 'Click') details.toggle(row);
          else return false;
          return true;
        }}
        onUndo={() => undoEdit(store, dependencies)}
      />
      <span role="status" className={styles.hiddenText}>
        {edited !== undefined && check.state === 'checked' && outcomeText(rows, edited)}
      </span>
      {replacing?.column !== undefined && (
        <ReplaceDialog
          column={replacing.column}
          heading={replacing.heading}
          onClose={() => setReplacing(undefined)}
        />
      )}
    </>
  );
}

/** Employee IDs and names say whose row it is, so they are always shown. */
function useShownColumns(visible: readonly number[], onlyProblems: boolean): readonly FileColumn[] {
  const { rows, format, check } = useImportState();
  const reader = check?.reader;
  const all = useMemo(
    () =>
      reader && format
        ? fileColumns(reader.rules.mapping, format.headings, reader.columns, reader.rules.attributes)
        : [],
    [reader, format],
  );
  return useMemo(() => {
    if (!onlyProblems || !rows || !reader) return all;
    const wrong = problemColumns(rows, visible, reader.rules.mapping);
    return all.filter(
      ({ isID, field, from }) => isID || field === 'name' || from.some((at) => wrong.has(at)),
    );
  }, [all, onlyProblems, rows, visible, reader]);
}

/** What the editor starts with after a key or a click. Undefined if it doesn't edit. */
function textAfter(key: string, text: string): string | undefined {
  if (key === 'Enter' || key === 'F2' || key === 'Click') return text;
  if (key === 'Delete' || key === 'Backspace') return '';
  return key.length === 1 && key !== ' ' ? key : undefined;
}

/** For screen readers: what became of the row that was edited. */
function outcomeText(rows: Rows, row: number): string {
  const verdict = verdictOf(rows, row);
  return copy.edited(rows.numbers[row] ?? 0, copy.states[verdict], failureReason(rows, row));
}

function detailsLabel(rows: Rows, row: number): string {
  const number = rows.numbers[row];
  return number === undefined
    ? copy.detailsOf(missingUserOf(rows, row)?.employeeID ?? '')
    : copy.details(number);
}

function ReleaseQuarantined({ rows, row }: { rows: Rows; row: number }) {
  const store = useImportStore();
  const preview = rows.previews[row];
  const name = preview?.kind === 'rejected' ? preview.quarantined : undefined;
  if (!name) return null;
  return (
    <ReleaseName
      name={name}
      size="compact-sm"
      tabIndex={-1}
      onReleased={() => void recheckRow(store, row, dependencies)}
    />
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
      tabIndex={-1}
      aria-label={copy.keepActiveLabel(user.name)}
      onClick={() => store.dispatch({ type: 'missingUserKept', row })}
    >
      {copy.keepActive}
    </Button>
  );
}
