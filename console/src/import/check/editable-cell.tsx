import { Input, Popover, Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { importCopy } from '../../copy/copy.js';
import styles from '../components/import.module.css';

const copy = importCopy.check;

/** What to know about a row while one of its cells is edited. */
interface RowContext {
  /** Of the user. Empty if the cell is the name, or there is none. */
  readonly name: string;
  readonly problem: { readonly text: string; readonly isWarning: boolean } | undefined;
}

export interface EditableCellProps {
  readonly heading: string;
  readonly number: number;
  readonly text: string;
  /** The text, with passwords masked. */
  readonly shown: string;
  /** Undefined if the row does not change this field. Empty texts stand for empty fields. */
  readonly change: { readonly before: string; readonly after: string } | undefined;
  readonly isInvalid: boolean;
  readonly contextOf: () => RowContext;
  readonly onEdit: (text: string) => void;
}

/** A cell that turns into a text field when clicked. Plain elements, because a table has hundreds of cells. */
export function EditableCell(props: EditableCellProps) {
  const { heading, number, text, shown, isInvalid, contextOf, onEdit } = props;
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  useEffect(() => {
    if (!isOpen && returnsFocus.current) button.current?.focus();
  }, [isOpen]);
  if (isOpen) {
    return (
      <CellEditor
        label={copy.editLabel(heading, number)}
        text={text}
        context={contextOf()}
        onDone={(next, byKey) => {
          if (next !== undefined) onEdit(next);
          returnsFocus.current = byKey;
          setIsOpen(false);
        }}
      />
    );
  }
  return (
    <button
      type="button"
      ref={button}
      className={styles.cellButton}
      data-wrong={isInvalid || undefined}
      onClick={() => setIsOpen(true)}
      title={shown}
    >
      <span className={styles.hiddenText}>{copy.cellPrefix(heading, number)}</span>
      <Content {...props} />
    </button>
  );
}

/** Screen readers get words instead of colors. */
function Content({ shown, change }: EditableCellProps) {
  if (!change) return shown === '' ? <span className={styles.hiddenText}>{copy.empty}</span> : shown;
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

interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  readonly context: RowContext;
  /** Undefined leaves the cell unchanged. After a key press, the focus returns to the cell. */
  readonly onDone: (text: string | undefined, byKey: boolean) => void;
}

/** Saves when it loses focus or scrolls away; Escape discards. Shows what may be out of view: name and problem. */
function CellEditor({ label, text, context: { name, problem }, onDone }: CellEditorProps) {
  const id = useId();
  const [draft, setDraft] = useState(text);
  const isFinished = useRef(false);
  const finish = (next: string | undefined, byKey = false) => {
    if (isFinished.current) return;
    isFinished.current = true;
    onDone(next, byKey);
  };
  const latest = useRef(() => {});
  latest.current = () => draft !== text && finish(draft);
  useEffect(() => () => latest.current(), []);
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault(); // the key would also press the cell that gets the focus back
    finish(event.key === 'Enter' ? draft : undefined, true);
  };
  return (
    <Popover
      opened={name !== '' || problem !== undefined}
      position="bottom-start"
      offset={4}
      shadow="md"
      width={320}
      withRoles={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <Popover.Target>
        <Input
          size="xs"
          withAria={false} // would remove the description
          aria-label={label}
          aria-describedby={id}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={key}
          onBlur={() => finish(draft)}
          autoFocus
        />
      </Popover.Target>
      <Popover.Dropdown id={id} p="xs" className={styles.context ?? ''}>
        {name !== '' && (
          <Text size="sm" fw={600}>
            {name}
          </Text>
        )}
        {problem && (
          <Text size="sm" className={(problem.isWarning ? styles.warningText : styles.wrongText) ?? ''}>
            {problem.text}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
