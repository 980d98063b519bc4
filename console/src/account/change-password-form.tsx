import { Button, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { describeError } from '../components/error-message.js';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/copy.js';
import { changePassword } from '../session/sign-in.js';
import { PasswordField } from './password-field.js';

interface ChangePasswordFormProps {
  /** The current password, if the user has just typed it. */
  readonly known?: string | undefined;
  /** The current password is wrong, for example because it was reset meanwhile. */
  readonly onWrong?: () => void;
  readonly onChanged: () => void;
}

export function ChangePasswordForm({ known, onWrong, onChanged }: ChangePasswordFormProps) {
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [again, setAgain] = useState('');
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const changing = useMutation({
    mutationFn: () => changePassword(known ?? current, chosen),
    onError: (error) => isRollcallError(error, 'ACCESS_PASSWORD_WRONG') && onWrong?.(),
    onSuccess: () => {
      for (const set of [setCurrent, setChosen, setAgain]) set('');
      setWasSubmitted(false);
      onChanged();
    },
  });
  // A shorter text may still be being typed.
  const differs = wasSubmitted ? again !== chosen : !chosen.startsWith(again);
  const { error } = changing;
  // An error is about what was sent, not about what is being typed now.
  const edit = (set: (value: string) => void) => (value: string) => {
    set(value);
    changing.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasSubmitted(true);
    if (again === chosen) changing.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {known === undefined && (
          <PasswordField
            label={sessionCopy.currentPassword}
            autoComplete="current-password"
            value={current}
            onChange={edit(setCurrent)}
            error={isRollcallError(error, 'ACCESS_PASSWORD_WRONG') && sessionCopy.currentWrong}
            isFirst
          />
        )}
        <PasswordField
          label={sessionCopy.newPassword}
          description={sessionCopy.newPasswordHint}
          autoComplete="new-password"
          value={chosen}
          onChange={edit(setChosen)}
          error={isRollcallError(error, 'ACCESS_PASSWORD_REFUSED') && describeError(error)}
          isFirst={known !== undefined}
        />
        <PasswordField
          label={sessionCopy.newPasswordAgain}
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
          error={differs && sessionCopy.passwordsDiffer}
        />
        {error && !isRollcallError(error, 'ACCESS_PASSWORD_WRONG', 'ACCESS_PASSWORD_REFUSED') && (
          <Problem title={sessionCopy.notChanged} error={error} />
        )}
        <Button type="submit" loading={changing.isPending}>
          {sessionCopy.changePassword}
        </Button>
      </Stack>
    </form>
  );
}
