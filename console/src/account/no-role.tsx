import { Button, Text, Title } from '@mantine/core';
import { texts } from '../copy/index.js';
import { useMe } from '../session/session.js';
import { signOut } from '../session/sign-in.js';
import { LonePage } from './standalone-page.js';

/** For somebody who got in and may do nothing. */
export function NoRole() {
  const { name, username } = useMe();
  return (
    <LonePage title={texts.session.noRoleTitle}>
      <Title order={1} size="h3" mb="xs">
        {texts.session.noRoleTitle}
      </Title>
      <Text mb="md">{texts.session.noRole(name ?? username ?? '')}</Text>
      <Button onClick={() => void signOut()}>{texts.session.signOut}</Button>
    </LonePage>
  );
}
