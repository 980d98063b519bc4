import { Group, Text } from '@mantine/core';
import { UserLink } from './actor.js';

/** Shows that a list is filtered by the user that a link named. */
export function UserFilter({ label, serial }: { label: string; serial: string }) {
  return (
    <Group gap="xs" mb="sm" fz="sm">
      <Text size="sm">{label}</Text>
      <UserLink serial={serial} />
    </Group>
  );
}
