import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SerialInput, SerialsInput } from '../../components/entry-inputs.js';
import type { Draft } from '../form/draft.js';
import type { EditableField } from './editable-columns.js';

interface FieldInputProps {
  readonly field: EditableField;
  readonly label: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly error: ReactNode;
}

const suggestionsHeight = 170;
/** Otherwise, a click on a suggestion would be one outside of the editor. */
const inside = { withinPortal: false } as const;

export function FieldInput({ field, label, draft, onChange, error }: FieldInputProps) {
  const [typedTag, setTypedTag] = useState('');
  switch (field) {
    case 'organizationSerial':
      return (
        <SerialInput
          kind="organizations"
          label={label}
          value={draft.organizationSerial}
          onChange={(organizationSerial) => onChange({ ...draft, organizationSerial })}
          maxDropdownHeight={suggestionsHeight}
          comboboxProps={inside}
          error={error}
          data-autofocus
        />
      );
    case 'tagSerials':
      return (
        <SerialsInput
          kind="tags"
          label={label}
          value={draft.tagSerials}
          onChange={(tagSerials) => onChange({ ...draft, tagSerials })}
          typed={typedTag}
          onType={setTypedTag}
          acceptValueOnBlur
          maxDropdownHeight={suggestionsHeight}
          comboboxProps={inside}
          error={error}
          data-autofocus
        />
      );
    default:
      return (
        <TextInput
          label={label}
          value={draft[field]}
          onChange={(event) => onChange({ ...draft, [field]: event.currentTarget.value })}
          onFocus={(event) => event.currentTarget.select()}
          autoComplete="off"
          error={error}
          data-autofocus
        />
      );
  }
}
