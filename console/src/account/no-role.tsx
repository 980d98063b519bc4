import { Button, Text, Title } from '@mantine/core';
import { sessionCopy } from '../copy/copy.js';
import { useCurrentUser } from '../session/session.js';
import { signOut } from '../session/sign-in.js';
import { StandalonePage } from './standalone-page.js';

export function NoRole() {
  const { name, signInName } = useCurrentUser();
  return (
    <StandalonePage title={sessionCopy.noRoleTitle}>
      <Title order={1} size="h3" mb="xs">
        {sessionCopy.noRoleTitle}
      </Title>
      <Text mb="sm">{sessionCopy.noRole(name ?? signInName ?? '')}</Text>
      <Text size="sm" c="dimmed" mb="md">
        {sessionCopy.noRoleWhy}
      </Text>
      <Button onClick={() => void signOut()}>{sessionCopy.signOut}</Button>
    </StandalonePage>
  );
}
