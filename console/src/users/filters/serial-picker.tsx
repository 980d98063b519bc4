import { limits } from '@rollcall/client';
import { SerialsInput } from '../../components/entry-inputs.js';
import { usersCopy } from '../../copy/copy.js';
import css from './filters.module.css';
import type { SerialsFilter } from './user-filters.js';

interface SerialPickerProps {
  readonly kind: SerialsFilter['kind'];
  readonly values: readonly string[];
  /** What is typed but not yet one of the values. */
  readonly typed: string;
  readonly onChange: (values: string[]) => void;
  readonly onType: (text: string) => void;
}

const suggestionsHeight = 170;

/** Picks organizations or tags by name or serial. */
export function SerialPicker({ kind, values, typed, onChange, onType }: SerialPickerProps) {
  return (
    <SerialsInput
      kind={kind === 'organization' ? 'organizations' : 'tags'}
      aria-label={usersCopy.filter.kinds[kind]}
      {...(values.length === 0 && { placeholder: usersCopy.filter.serialPlaceholder })}
      description={usersCopy.filter.serialHint}
      inputWrapperOrder={['input', 'description']}
      value={values}
      onChange={onChange}
      typed={typed}
      onType={onType}
      // The new value would move the button that is being clicked.
      acceptValueOnBlur={false}
      maxTags={limits.filterValuesMax}
      maxLength={limits.searchMaxLength}
      isListOpen
      // A click outside of the editor closes it.
      comboboxProps={{ withinPortal: false }}
      classNames={{ dropdown: css.suggestions }}
      maxDropdownHeight={suggestionsHeight}
      data-autofocus
    />
  );
}
