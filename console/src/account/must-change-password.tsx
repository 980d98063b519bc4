import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { notify } from '../components/notify.js';
import { sessionCopy } from '../copy/copy.js';
import { forgetPasswordToReplace, passwordToReplace, signOut } from '../session/sign-in.js';
import { ChangePasswordForm } from './change-password-form.js';

export function MustChangeForm() {
  const content = useRef<HTMLDivElement>(null);
  // What had the focus is gone, and the page or dialog was there before this form.
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  const [known, setKnown] = useState(passwordToReplace);
  const forget = () => {
    forgetPasswordToReplace();
    setKnown(undefined);
  };
  return (
    <div ref={content}>
      <Text size="sm" c="dimmed" mb="md">
        {sessionCopy.mustChangeHint}
      </Text>
      <ChangePasswordForm
        currentLabel={sessionCopy.receivedPassword}
        known={known}
        onWrong={forget}
        onChanged={() => notify(sessionCopy.passwordChosen)}
      />
      <Button mt="md" variant="subtle" color="gray" fullWidth onClick={() => void signOut()}>
        {sessionCopy.signOut}
      </Button>
    </div>
  );
}
