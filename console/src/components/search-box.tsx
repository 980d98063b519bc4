import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { limits } from '@rollcall/client';
import { type KeyboardEvent, useRef, useState } from 'react';
import { commonCopy } from '../copy/copy.js';
import css from './search-box.module.css';

interface SearchBoxProps extends Pick<TextInputProps, 'flex' | 'maw' | 'mb'> {
  readonly placeholder: string;
  readonly value: string;
  /** Called after a pause in typing. A search is continued until the box loses the focus. */
  readonly onSearch: (text: string, isContinued: boolean) => void;
  /** Before the browser acts. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export function SearchBox({ value, placeholder, onSearch, ...layout }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [reported, setReported] = useState(value);
  const isContinued = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const report = useDebouncedCallback((text: string) => {
    setReported(text);
    onSearch(text, isContinued.current);
    isContinued.current = true;
  }, typingPauseMs);
  // A value that was not reported comes from elsewhere, such as "Clear all" or the back button.
  if (value !== reported) {
    setReported(value);
    setTyped(value);
  }
  const type = (text: string) => {
    setTyped(text);
    report(text);
  };
  return (
    <TextInput
      ref={input}
      classNames={{ input: css.search }}
      {...layout}
      label={commonCopy.search}
      placeholder={placeholder}
      type="search"
      value={typed}
      maxLength={limits.searchMaxLength}
      autoComplete="off"
      onChange={(event) => type(event.currentTarget.value)}
      onFocus={() => {
        isContinued.current = false;
      }}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            size={24}
            aria-label={commonCopy.clearSearch}
            onClick={() => {
              type('');
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}

/** A search starts after a pause in typing. */
export const typingPauseMs = 200;
