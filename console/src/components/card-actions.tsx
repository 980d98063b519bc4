import { Button, Group } from '@mantine/core';
import { activityCopy } from '../copy/copy.js';

export interface CardAction {
  /** Keeps the focus on the button when its label changes. */
  readonly id: string;
  readonly label: string;
  readonly onClick: () => void;
}

export function CardActions({ name, actions }: { name: string; actions: readonly CardAction[] }) {
  return (
    <Group gap="xs" mt="md">
      {actions.map(({ id, label, onClick }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="default"
          onClick={onClick}
          aria-label={activityCopy.cardAction(label, name)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
