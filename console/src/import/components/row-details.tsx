import { type ReactNode, useState } from 'react';
import { FieldChanges } from '../../components/field-changes.js';
import { missingUserOf, problemsIn, type Rows } from '../state/rows.js';
import { failureReason } from '../state/verdicts.js';
import styles from './import.module.css';

interface RowDetailsProps {
  readonly rows: Rows;
  readonly row: number;
  /** What can be done about its problem. */
  readonly children?: ReactNode;
}

/** Everything there is to say about a row. */
export function RowDetails({ rows, row, children }: RowDetailsProps) {
  const preview = rows.previews[row];
  const warnings = problemsIn(rows, row).filter(({ isWarning }) => isWarning);
  const failure = failureReason(rows, row);
  return (
    <div className={styles.details}>
      {failure !== '' && <span className={styles.wrongText}>{failure}</span>}
      {children}
      {warnings.map(({ text }) => (
        <span key={text} className={styles.warningText}>
          {text}
        </span>
      ))}
      {preview?.kind === 'accepted' && (
        <FieldChanges fields={preview.fields} kind={preview.change === 'created' ? 'created' : 'updated'} />
      )}
    </div>
  );
}

export function hasDetails(rows: Rows, row: number): boolean {
  const preview = rows.previews[row];
  const isChanging = preview?.kind === 'accepted' && preview.change !== 'unchanged';
  return hasProblem(rows, row) || (isChanging && !missingUserOf(rows, row));
}

/** Whether there is something to say about a row besides what it changes. */
export function hasProblem(rows: Rows, row: number): boolean {
  const { previews, outcomes } = rows;
  return (
    problemsIn(rows, row).length > 0 ||
    previews[row]?.kind === 'rejected' ||
    outcomes[row]?.kind === 'rejected'
  );
}

/** The first thing that is wrong with a row, for its single line. */
export function shortProblem(
  rows: Rows,
  row: number,
): { readonly text: string; readonly isWarning: boolean } | undefined {
  const failure = failureReason(rows, row);
  if (failure !== '') return { text: failure, isWarning: false };
  const warning = problemsIn(rows, row).find(({ isWarning }) => isWarning);
  return warning && { text: warning.text, isWarning: true };
}

/** The rows whose details are shown. */
export function useOpenDetails() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (row: number) => {
    const next = new Set(open);
    if (!next.delete(row)) next.add(row);
    setOpen(next);
  };
  return { isOpen: (row: number) => open.has(row), toggle };
}
