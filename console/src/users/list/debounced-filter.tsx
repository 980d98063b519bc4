import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

interface DebouncedFilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** Called after a pause in typing. */
  readonly onTyped: (text: string) => void;
}

const pauseMs = 200;
const textMaxLength = 200;

export function DebouncedFilter({ value, onTyped, ...props }: DebouncedFilterProps) {
  const [typed, setTyped] = useState(value);
  const [reported, setReported] = useState(value);
  const report = useDebouncedCallback((text: string) => {
    setReported(text);
    onTyped(text);
  }, pauseMs);
  // A value that was not reported comes from elsewhere, such as "Clear filters" or the back button.
  if (value !== reported) {
    setReported(value);
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
        report(event.currentTarget.value);
      }}
    />
  );
}
