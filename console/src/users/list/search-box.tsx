import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { usersCopy } from '../../copy/users.js';
import css from './users.module.css';

interface SearchBoxProps extends Pick<TextInputProps, 'flex'> {
  readonly value: string;
  /** Called after a pause in typing. A search is continued until the box loses the focus. */
  readonly onSearch: (text: string, isContinued: boolean) => void;
}

const pauseMs = 200;
const textMaxLength = 200;

export function SearchBox({ value, onSearch, flex }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [reported, setReported] = useState(value);
  const isContinued = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const report = useDebouncedCallback((text: string) => {
    setReported(text);
    onSearch(text, isContinued.current);
    isContinued.current = true;
  }, pauseMs);
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
      label={usersCopy.search}
      placeholder={usersCopy.searchHint}
      type="search"
      value={typed}
      maxLength={textMaxLength}
      autoComplete="off"
      flex={flex}
      onChange={(event) => type(event.currentTarget.value)}
      onFocus={() => {
        isContinued.current = false;
      }}
      rightSection={
        typed === '' ? null : (
          <CloseButton
            size={24}
            aria-label={usersCopy.clearSearch}
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
