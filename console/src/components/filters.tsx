import { Group, Text, TextInput } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { UserLink } from './actor.js';

/** List filters, kept in the URL. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const set = (changes: Readonly<Record<string, string | null>>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  return { get: (name: string) => params.get(name), set };
}

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

/** Shows that a list is filtered by the user that a link named. */
export function UserFilter({ label, serial }: { label: string; serial: string }) {
  return (
    <Group gap="xs" mb="sm" fz="sm">
      <Text size="sm">{label}</Text>
      <UserLink serial={serial} />
    </Group>
  );
}
