import { Group, Text } from '@mantine/core';
import { UserLink } from './actor.js';

/** Says that a list was narrowed down to one person, by a link that led here. */
export function UserFilter({ label, serial }: { label: string; serial: string }) {
  return (
    <Group gap="xs" mb="sm">
      <Text size="sm">{label}</Text>
      <UserLink serial={serial} />
    </Group>
  );
}
