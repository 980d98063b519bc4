import { Group, Text } from '@mantine/core';
import { Person } from './actor.js';

/** Says that a list was narrowed down to one person, by a link that led here. */
export function OnlyPerson({ label, serial }: { label: string; serial: string }) {
  return (
    <Group gap="xs" mb="sm">
      <Text size="sm">{label}</Text>
      <Person serial={serial} />
    </Group>
  );
}
