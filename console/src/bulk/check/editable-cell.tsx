import { TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { bulkCopy } from '../../copy/bulk.js';
import styles from '../components/bulk.module.css';

const copy = bulkCopy.check;

export interface MendCellProps {
  readonly heading: string;
  readonly number: number;
  readonly text: string;
  /** The text, unless it is a secret. */
  readonly shown: string;
  /** What the service has, and will have; where nothing changes there is none. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
  readonly isWrong: boolean;
  readonly onMend: (text: string) => void;
}

/** A cell that turns into a field to write in. */
export function MendCell(props: MendCellProps) {
  const { heading, number, text, shown, isWrong, onMend } = props;
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const returns = useRef(false);
  useEffect(() => {
    if (!isOpen && returns.current) button.current?.focus();
  }, [isOpen]);
  if (isOpen) {
    return (
      <CellEditor
        label={copy.mendLabel(heading, number)}
        text={text}
        onDone={(next, isByKey) => {
          if (next !== undefined) onMend(next);
          returns.current = isByKey;
          setIsOpen(false);
        }}
      />
    );
  }
  return (
    <UnstyledButton
      ref={button}
      className={styles.cellButton}
      data-wrong={isWrong || undefined}
      onClick={() => setIsOpen(true)}
      title={shown}
    >
      <VisuallyHidden>{copy.cellBefore(heading, number)}</VisuallyHidden>
      <Content {...props} />
    </UnstyledButton>
  );
}

/** Told in copy to whoever does not see the colours. */
function Content({ shown, change }: MendCellProps) {
  if (!change) return shown === '' ? <VisuallyHidden>{copy.empty}</VisuallyHidden> : shown;
  return (
    <>
      <VisuallyHidden>{copy.was}</VisuallyHidden>
      <del className={styles.before}>{change.before}</del>
      <span aria-hidden> → </span>
      <VisuallyHidden>{copy.becomes}</VisuallyHidden>
      <ins className={styles.after}>{change.after}</ins>
    </>
  );
}

interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  /** Without a text nothing is changed. Who left by a key is taken back to the cell. */
  readonly onDone: (text: string | undefined, isByKey: boolean) => void;
}

/** What was typed counts when the field is left, in whichever way but Escape. */
function CellEditor({ label, text, onDone }: CellEditorProps) {
  const [draft, setDraft] = useState(text);
  const left = useRef(false);
  const leave = (next: string | undefined, isByKey = false) => {
    if (left.current) return;
    left.current = true;
    onDone(next, isByKey);
  };
  const latest = useRef(() => {});
  latest.current = () => draft !== text && leave(draft);
  useEffect(() => () => latest.current(), []);
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault(); // or the cell, which has the focus again, would be pressed by the same key
    leave(event.key === 'Enter' ? draft : undefined, true);
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={key}
      onBlur={() => leave(draft)}
      autoFocus
    />
  );
}
