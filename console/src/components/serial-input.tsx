import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type DirectoryKind, useDisplayNames, useSuggestions } from './directory.js';
import { EntryOption } from './entry-option.js';
import { typingPauseMs } from './typing-pause.js';

interface SerialInputProps extends Omit<AutocompleteProps, 'data'> {
  readonly kind: DirectoryKind;
  readonly value: string;
}

/** Enters the serial of an organization or tag, and suggests those that exist. Shows its name below. */
export function SerialInput({ kind, value, description, onFocus, ...props }: SerialInputProps) {
  const [isUsed, setIsUsed] = useState(false);
  const [search] = useDebouncedValue(value, typingPauseMs);
  const serial = search.trim();
  const name = useDisplayNames(kind, serial === '' ? [] : [serial]).get(serial);
  const suggested = useSuggestions(kind, search, isUsed);
  const bySerial = new Map(suggested.map((entry) => [entry.serial, entry]));
  const notes = [serial === value.trim() ? name : undefined, description].filter(Boolean);
  return (
    <Autocomplete
      {...props}
      {...(notes.length === 0
        ? {}
        : { description: notes.flatMap((note, index) => (index === 0 ? note : [' · ', note])) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      value={value}
      onFocus={(event) => {
        setIsUsed(true);
        onFocus?.(event);
      }}
      openOnFocus={false}
      data={suggested.map((entry) => entry.serial)}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const entry = bySerial.get(option.value);
        return entry ? <EntryOption entry={entry} /> : option.value;
      }}
    />
  );
}
