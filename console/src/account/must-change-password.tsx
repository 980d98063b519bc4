import { Button, Text, Title } from '@mantine/core';
import { texts } from '../copy/index.js';
import { signOut } from '../session/sign-in.js';
import { ChangePasswordForm } from './change-password-form.js';
import { LonePage } from './standalone-page.js';

/** Between the first sign-in, with the password that was sent, and everything else. */
export function MustChangePassword({ onChanged }: { onChanged: () => void }) {
  return (
    <LonePage title={texts.session.mustChangeTitle}>
      <Title order={1} size="h3" mb="xs">
        {texts.session.mustChangeTitle}
      </Title>
      <MustChangeForm onChanged={onChanged} />
    </LonePage>
  );
}

export function MustChangeForm({ onChanged }: { onChanged: () => void }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {texts.session.mustChangeHint}
      </Text>
      <ChangePasswordForm onChanged={onChanged} />
      <Button mt="md" variant="subtle" color="gray" fullWidth onClick={() => void signOut()}>
        {texts.session.signOut}
      </Button>
    </>
  );
}
