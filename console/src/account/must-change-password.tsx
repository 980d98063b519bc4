import { Button, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { sessionCopy } from '../copy/copy.js';
import { forgetPasswordToReplace, passwordToReplace, signOut } from '../session/sign-in.js';
import { ChangePasswordForm } from './change-password-form.js';
import { StandalonePage } from './standalone-page.js';

/** Shown at the first sign-in with a password that was sent. */
export function MustChangePassword({ onChanged }: { onChanged: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone. Dialogs set the focus themselves.
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  return (
    <StandalonePage title={sessionCopy.mustChangeTitle}>
      <div ref={content}>
        <Title order={1} size="h3" mb="xs">
          {sessionCopy.mustChangeTitle}
        </Title>
        <MustChangeForm onChanged={onChanged} />
      </div>
    </StandalonePage>
  );
}

export function MustChangeForm({ onChanged }: { onChanged: () => void }) {
  const [known, setKnown] = useState(passwordToReplace);
  const forget = () => {
    forgetPasswordToReplace();
    setKnown(undefined);
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {sessionCopy.mustChangeHint}
      </Text>
      <ChangePasswordForm known={known} onWrong={forget} onChanged={onChanged} />
      <Button mt="md" variant="subtle" color="gray" fullWidth onClick={() => void signOut()}>
        {sessionCopy.signOut}
      </Button>
    </>
  );
}
