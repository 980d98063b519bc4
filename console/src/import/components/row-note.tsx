import { Anchor, Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FieldChanges } from '../../components/field-changes.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import type { KnownUser } from '../state/knowledge.js';
import { missingUserOf, problemsIn, type Rows } from '../state/rows.js';
import styles from './import.module.css';

const copy = importCopy.check;

interface RowNoteProps {
  readonly rows: Rows;
  readonly row: number;
  /** Whether it also says what the row changes. */
  readonly showsChanges: boolean;
  /** Puts a suggested text into a cell. Without it, nothing is suggested. */
  readonly onUse?: (column: number, text: string) => void;
  /** Takes the row out of the import. */
  readonly onLeaveOut?: () => void;
  /** What else can be done about its problem. */
  readonly children?: ReactNode;
}

/** What is wrong or doubtful with a row, with whom it collides, and on request what it changes. */
export function RowNote({ rows, row, showsChanges, onUse, onLeaveOut, children }: RowNoteProps) {
  const preview = rows.previews[row];
  const problems = problemsIn(rows, row).toSorted(
    (one, other) => Number(one.isWarning) - Number(other.isWarning),
  );
  const refusal = refusalOf(rows, row);
  return (
    <div className={styles.details}>
      {refusal && <Line {...refusal} isWarning={false} />}
      {children}
      {problems.map(({ column, text, isWarning, user, suggestion }) => (
        <Line key={text} text={text} user={user} isWarning={isWarning}>
          {onUse && column !== undefined && suggestion !== undefined && (
            <Button
              size="compact-xs"
              variant="default"
              tabIndex={-1}
              onClick={() => onUse(column, suggestion)}
            >
              {copy.use(suggestion)}
            </Button>
          )}
        </Line>
      ))}
      {showsChanges && preview?.kind === 'accepted' && (
        <FieldChanges fields={preview.fields} kind={preview.change === 'created' ? 'created' : 'updated'} />
      )}
      {onLeaveOut && (
        <Button
          size="compact-xs"
          variant="default"
          tabIndex={-1}
          className={styles.leaveOut}
          onClick={onLeaveOut}
        >
          {copy.leaveOutRow}
        </Button>
      )}
    </div>
  );
}

interface LineProps {
  readonly text: string;
  readonly user: KnownUser | undefined;
  readonly isWarning: boolean;
  readonly children?: ReactNode;
}

/** The link opens another tab, so that the place in the list isn't lost. */
function Line({ text, user, isWarning, children }: LineProps) {
  return (
    <span className={isWarning ? styles.warningText : styles.wrongText}>
      <span aria-hidden>{isWarning ? '△ ' : '✕ '}</span>
      {text}{' '}
      {user && (
        <Anchor
          href={`/users/${user.serial}`}
          target="_blank"
          tabIndex={-1}
          size="sm"
          underline="always"
          c="inherit"
          title={copy.inNewTab}
        >
          {copy.user(user.name, user.employeeID)}
        </Anchor>
      )}{' '}
      {children}
    </span>
  );
}

/** What the service said, in the check or in the run. */
function refusalOf(
  { outcomes, previews }: Rows,
  row: number,
): { readonly text: string; readonly user: KnownUser | undefined } | undefined {
  const outcome = outcomes[row];
  if (outcome?.kind === 'rejected') return { text: outcome.message, user: undefined };
  const preview = previews[row];
  return preview?.kind === 'rejected' ? { text: preview.message, user: preview.user } : undefined;
}

/** Whether the row changes something that can be shown. */
export function hasChanges(rows: Rows, row: number): boolean {
  const preview = rows.previews[row];
  return preview?.kind === 'accepted' && preview.change !== 'unchanged' && !missingUserOf(rows, row);
}

/** Whether there is something to say about a row besides what it changes. */
export function hasProblem(rows: Rows, row: number): boolean {
  return problemsIn(rows, row).length > 0 || refusalOf(rows, row) !== undefined;
}

/** The rows whose changes are shown. */
export function useOpenDetails() {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (row: number) => {
    const next = new Set(open);
    if (!next.delete(row)) next.add(row);
    setOpen(next);
  };
  return { isOpen: (row: number) => open.has(row), toggle };
}
