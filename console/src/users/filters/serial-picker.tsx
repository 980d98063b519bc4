import { TagsInput } from '@mantine/core';
import { usersCopy } from '../../copy/users.js';
import { filterTextMaxLength, filterValuesMax } from './user-filters.js';

interface SerialPickerProps {
  readonly label: string;
  readonly values: readonly string[];
  /** What is typed but not yet one of the values. */
  readonly typed: string;
  readonly onChange: (values: string[]) => void;
  readonly onType: (text: string) => void;
}

/** Picks organizations or tags by serial. */
export function SerialPicker({ label, values, typed, onChange, onType }: SerialPickerProps) {
  return (
    <TagsInput
      aria-label={label}
      description={usersCopy.filter.serialHint}
      inputWrapperOrder={['input', 'description']}
      value={[...values]}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={onType}
      // The new value would move the button that is being clicked.
      acceptValueOnBlur={false}
      maxTags={filterValuesMax}
      maxLength={filterTextMaxLength}
      // Serials that differ in case are different.
      isDuplicate={(value, others) => others.includes(value)}
      data-autofocus
    />
  );
}
