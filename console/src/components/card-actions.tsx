import { Button, Group } from '@mantine/core';
import { activityCopy } from '../copy/activity.js';

export interface CardAction {
  /** Stays the same while the label changes, so that the focus stays too. */
  readonly id: string;
  readonly label: string;
  readonly onClick: () => void;
}

/** What can be done with the thing of this name. */
export function CardActions({ name, actions }: { name: string; actions: readonly CardAction[] }) {
  return (
    <Group gap="xs" mt="md">
      {actions.map(({ id, label, onClick }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="default"
          onClick={onClick}
          aria-label={activityCopy.clients.action(label, name)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
