import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { directoriesCopy } from '../copy/copy.js';
import { type DirectoryKind, type Entry, useDisplayNames, useSuggestions } from './directory.js';
import { fullEntryName } from './entry-name.js';
import { EntryOption } from './entry-option.js';
import { typingPauseMs } from './typing-pause.js';

interface EntrySelectProps {
  readonly kind: DirectoryKind;
  readonly label: string;
  readonly description?: string;
  /** The serial. */
  readonly value: string | null;
  readonly onChange: (serial: string | null) => void;
  /** Cannot be chosen. */
  readonly except: string;
  readonly isRequired?: boolean;
}

/** Selects an existing organization or tag by its name or serial. */
export function EntrySelect({
  kind,
  label,
  description,
  value,
  onChange,
  except,
  isRequired,
}: EntrySelectProps) {
  const [typed, setTyped] = useState('');
  const names = useDisplayNames(kind, value === null ? [] : [value]);
  const selected = value === null ? undefined : { serial: value, displayName: names.get(value) ?? null };
  // The selected entry is in the text box, but isn't what is searched for.
  const isSelected = selected !== undefined && typed === fullEntryName(selected);
  const [search] = useDebouncedValue(isSelected ? '' : typed, typingPauseMs);
  const suggested = useSuggestions(kind, search).filter(({ serial }) => serial !== except);
  const isSuggested = suggested.some(({ serial }) => serial === value);
  const entries: Pick<Entry, 'serial' | 'displayName'>[] =
    selected && !isSuggested ? [...suggested, selected] : suggested;
  const bySerial = new Map(entries.map((entry) => [entry.serial, entry]));
  return (
    <Select
      label={label}
      {...(description === undefined ? {} : { description })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={entries.map((entry) => ({ value: entry.serial, label: fullEntryName(entry) }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const entry = bySerial.get(option.value);
        return entry ? <EntryOption entry={entry} /> : option.label;
      }}
      nothingFoundMessage={directoriesCopy.nothingFound}
      clearable={!isRequired}
      clearButtonProps={{ 'aria-label': directoriesCopy.clear(label) }}
      required={isRequired ?? false}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
