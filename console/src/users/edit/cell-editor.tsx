import { Popover } from '@mantine/core';
import type { ListedUser } from '../data/user.js';
import css from './edit.module.css';
import type { EditableField } from './editable-columns.js';
import { FieldEditor } from './field-editor.js';

interface CellEditorProps {
  /** As shown in the table. */
  readonly user: ListedUser;
  readonly field: EditableField;
  readonly onClose: () => void;
}

const width = 320;
/** Covers the cell. */
const offset = -38;

/** Edits one field of a user above its cell. */
export function CellEditor({ user, field, onClose }: CellEditorProps) {
  return (
    <Popover
      opened
      position="bottom-start"
      offset={offset}
      width={width}
      shadow="md"
      trapFocus
      closeOnEscape={false}
    >
      <Popover.Target>
        <span className={css.anchor} />
      </Popover.Target>
      <Popover.Dropdown p="sm" onClick={(event) => event.stopPropagation()}>
        <FieldEditor user={user} field={field} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}
