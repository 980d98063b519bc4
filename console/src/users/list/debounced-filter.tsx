import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

interface DebouncedFilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** After a pause in typing. */
  readonly onTyped: (text: string) => void;
}

const pauseMs = 200;
const textMaxLength = 200;

/** Filters while one types, without a question to the service for every key. */
export function DebouncedFilter({ value, onTyped, ...props }: DebouncedFilterProps) {
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  const tell = useDebouncedCallback((text: string) => {
    setTold(text);
    onTyped(text);
  }, pauseMs);
  // Another value than the one told comes from elsewhere: from "clear", or from the way back.
  if (value !== told) {
    setTold(value);
    setTyped(value);
  }
  return (
    <TextInput
      {...props}
      value={typed}
      maxLength={textMaxLength}
      autoComplete="off"
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
