import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type ReferenceKind, useDisplayNames } from '../../components/directory.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import styles from '../components/import.module.css';

const copy = importCopy.check;

interface CellTextProps {
  readonly text: string;
  /** Undefined if the row does not change this field. Empty texts stand for empty fields. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
}

/** Screen readers get words instead of colors. */
export function CellText({ text, change }: CellTextProps) {
  if (!change) return text === '' ? <span className={styles.hiddenText}>{copy.empty}</span> : text;
  return (
    <>
      <span className={styles.hiddenText}>{copy.was}</span>
      {change.before === '' ? copy.empty : <del className={styles.before}>{change.before}</del>}
      <span aria-hidden> → </span>
      <span className={styles.hiddenText}>{copy.becomes}</span>
      <ins className={styles.after}>{change.after || copy.empty}</ins>
    </>
  );
}

interface EntryTextProps {
  readonly kind: ReferenceKind;
  /** As the file writes it. */
  readonly written: string;
  /** Serials, or employee IDs of users. Undefined if the row does not change this field. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[];
}

/** The names of the entries that a text stands for, with the text as a hint, and the IDs on demand. */
export function EntryText({ kind, written, before, after }: EntryTextProps) {
  const names = useDisplayNames(kind, [...(before ?? []), ...after]);
  const namesOf = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id).join(', ');
  const text = namesOf(after);
  return (
    <span title={text === '' ? undefined : `${text} (${after.join(', ')})`}>
      <CellText text={text} change={before && { before: namesOf(before), after: text }} />
      {written !== '' && written !== text && (
        <span className={styles.written}>
          <span className={styles.hiddenText}>{copy.inFile}</span> {written}
        </span>
      )}
    </span>
  );
}

interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  readonly isWrong: boolean;
  readonly problemID: string;
  /** Undefined leaves the cell unchanged. */
  readonly onDone: (text: string | undefined) => void;
}

/** Saves when it loses the focus; Escape discards. */
export function CellEditor({ label, text, isWrong, problemID, onDone }: CellEditorProps) {
  const [draft, setDraft] = useState(text);
  const isFinished = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const finish = (next: string | undefined) => {
    if (isFinished.current) return;
    isFinished.current = true;
    onDone(next);
  };
  useEffect(() => input.current?.focus(), []);
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault(); // the key would also act on the cell, which gets the focus back
    finish(event.key === 'Enter' ? draft : undefined);
  };
  return (
    <input
      ref={input}
      className={styles.editor}
      aria-label={label}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? problemID : undefined}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={key}
      onBlur={() => finish(draft)}
    />
  );
}
