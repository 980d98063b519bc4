import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { directoriesCopy } from '../copy/copy.js';
import { type DirectoryKind, useDisplayNames, useSuggestions } from './directory.js';
import { entryName } from './entry-name.js';
import { EntryOption } from './entry-option.js';
import { entryNamed } from './named-entry.js';
import { typingPauseMs } from './typing-pause.js';

interface SerialInputProps extends Omit<AutocompleteProps, 'data' | 'onChange'> {
  readonly kind: DirectoryKind;
  /** The serial. */
  readonly value: string;
  readonly onChange: (serial: string) => void;
}

/** Enters an organization or tag by its name or serial, and suggests those that exist. Shows the serial below the name. */
export function SerialInput({ kind, value, onChange, description, ...props }: SerialInputProps) {
  const { onFocus, onBlur, ...others } = props;
  const [isUsed, setIsUsed] = useState(false);
  // Undefined as soon as the input is left, or an entry is chosen.
  const [typed, setTyped] = useState<string>();
  const chosen = useRef<string>(undefined);
  const [search] = useDebouncedValue(typed ?? '', typingPauseMs);
  const suggested = useSuggestions(kind, search, isUsed);
  const bySerial = new Map(suggested.map((entry) => [entry.serial, entry]));
  const serial = value.trim();
  const name = useDisplayNames(kind, serial === '' ? [] : [serial]).get(serial);
  const named = typed === undefined ? undefined : entryNamed(typed, suggested)?.serial;
  useEffect(() => {
    if (named !== undefined && named !== value) onChange(named);
  }, [named, value, onChange]);
  const change = (text: string) => {
    setTyped(chosen.current === undefined ? text : undefined);
    onChange(chosen.current ?? text);
    chosen.current = undefined;
  };
  const isSerialShown = typed?.trim() === serial;
  const note = name !== undefined && (isSerialShown ? name : directoriesCopy.idOf(serial));
  const notes = [note, description].filter(Boolean);
  return (
    <Autocomplete
      {...others}
      {...(notes.length === 0
        ? {}
        : { description: notes.flatMap((each, index) => (index === 0 ? each : [' · ', each])) })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="off"
      value={typed ?? name ?? value}
      onChange={change}
      onOptionSubmit={(option) => {
        chosen.current = option;
      }}
      onFocus={(event) => {
        setIsUsed(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setTyped(undefined);
        onBlur?.(event);
      }}
      openOnFocus={false}
      data={suggested.map((entry) => ({ value: entry.serial, label: entryName(entry) }))}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const entry = bySerial.get(option.value);
        return entry ? <EntryOption entry={entry} /> : option.value;
      }}
    />
  );
}
