import { Group, Text } from '@mantine/core';
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

/** Shows that a list is filtered by the user that a link named. */
export function UserFilter({ label, serial }: { label: string; serial: string }) {
  return (
    <Group gap="xs" mb="sm" fz="sm">
      <Text size="sm">{label}</Text>
      <UserLink serial={serial} />
    </Group>
  );
}
