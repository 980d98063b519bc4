import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';

interface UserCellProps {
  readonly employeeID: string;
  /** Undefined until it is known. */
  readonly name: string | undefined;
  readonly href?: string | undefined;
}

/** A user in a table: the name, and the employee ID below it. */
export function UserCell({ employeeID, name, href }: UserCellProps) {
  const text = name ?? employeeID;
  return (
    <>
      {href === undefined ? (
        text
      ) : (
        <Anchor component={Link} href={href} size="sm">
          {text}
        </Anchor>
      )}
      {name !== undefined && (
        <Text size="xs" c="dimmed">
          {employeeID}
        </Text>
      )}
    </>
  );
}
