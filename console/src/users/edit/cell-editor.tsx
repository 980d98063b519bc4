import { Popover } from '@mantine/core';
import { useRef } from 'react';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
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
  const form = useRef<HTMLFormElement>(null);
  return (
    <Popover
      opened
      // A click elsewhere saves, as in a spreadsheet.
      onChange={(isOpen) => !isOpen && form.current?.requestSubmit()}
      position="bottom-start"
      offset={offset}
      width={width}
      shadow="md"
      trapFocus
      withRoles={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <span className={css.anchor} />
      </Popover.Target>
      <Popover.Dropdown
        p="sm"
        role="dialog"
        aria-label={usersListCopy.edit.editing(commonCopy.fields[field], user.name)}
        onClick={(event) => event.stopPropagation()}
      >
        <FieldEditor user={user} field={field} form={form} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}
