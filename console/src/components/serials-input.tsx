import { Pill, TagsInput, type TagsInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type DirectoryKind, useDisplayNames, useSuggestions } from './directory.js';
import { fullEntryName } from './entry-name.js';
import { EntryOption } from './entry-option.js';
import { typingPauseMs } from './typing-pause.js';

interface SerialsInputProps
  extends Omit<TagsInputProps, 'data' | 'value' | 'searchValue' | 'onSearchChange'> {
  readonly kind: DirectoryKind;
  readonly value: readonly string[];
  /** What is typed but not yet one of the values. */
  readonly typed: string;
  readonly onType: (text: string) => void;
  /** The suggestions are part of the page, and always shown. */
  readonly isListOpen?: boolean;
}

/** Enters serials of organizations or tags, and suggests those that exist. Shows their names. */
export function SerialsInput({ kind, value, typed, onType, isListOpen, ...props }: SerialsInputProps) {
  const { onFocus, ...others } = props;
  const [isUsed, setIsUsed] = useState(isListOpen ?? false);
  const [isOpen, setIsOpen] = useState(false);
  const [search] = useDebouncedValue(typed, typingPauseMs);
  const names = useDisplayNames(kind, value);
  const suggested = useSuggestions(kind, search, isUsed).filter(({ serial }) => !value.includes(serial));
  const bySerial = new Map(suggested.map((entry) => [entry.serial, entry]));
  return (
    <TagsInput
      {...others}
      value={[...value]}
      searchValue={typed}
      onSearchChange={(text) => {
        onType(text);
        setIsOpen(text !== '');
      }}
      onFocus={(event) => {
        setIsUsed(true);
        onFocus?.(event);
      }}
      // Otherwise, suggestions appear while typing, not as soon as the box has the focus.
      openOnFocus={false}
      dropdownOpened={isListOpen || isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      data={suggested.map((entry) => ({ value: entry.serial, label: fullEntryName(entry) }))}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const entry = bySerial.get(String(option.value));
        return entry ? <EntryOption entry={entry} /> : String(option.value);
      }}
      renderPill={({ value: serial = '', onRemove, disabled }) => (
        <Pill
          withRemoveButton
          {...(onRemove ? { onRemove } : {})}
          disabled={disabled ?? false}
          title={serial}
          maw="100%"
        >
          {names.get(serial) ?? serial}
        </Pill>
      )}
      // Serials that differ in case are different.
      isDuplicate={(one, others) => others.includes(one)}
    />
  );
}
