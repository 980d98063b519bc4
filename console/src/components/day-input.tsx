import { TextInput } from '@mantine/core';

interface DayInputProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (day: string) => void;
}

/** A day for a filter; empty if there is none. */
export function DayInput({ label, value, onChange }: DayInputProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={145}
    />
  );
}
