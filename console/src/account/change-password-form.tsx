import { Button, Stack } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../components/problem.js';
import { sessionCopy } from '../copy/copy.js';
import { changePassword } from '../session/sign-in.js';
import { NewPasswordFields, useNewPassword } from './new-password-fields.js';
import { PasswordField } from './password-field.js';

interface ChangePasswordFormProps {
  /** What the current password is called. */
  readonly currentLabel?: string;
  /** The current password, if the user has just typed it. */
  readonly known?: string | undefined;
  /** The current password is wrong, for example because it was reset meanwhile. */
  readonly onWrong?: () => void;
  readonly onChanged: () => void;
}

export function ChangePasswordForm({
  currentLabel = sessionCopy.currentPassword,
  known,
  onWrong,
  onChanged,
}: ChangePasswordFormProps) {
  const [current, setCurrent] = useState('');
  const password = useNewPassword();
  const changing = useMutation({
    mutationFn: () => changePassword(known ?? current, password.chosen),
    onError: (error) => {
      if (isRollcallError(error, 'ACCESS_PASSWORD_WRONG')) onWrong?.();
      else password.afterError(error);
    },
    onSuccess: () => {
      setCurrent('');
      password.clear();
      onChanged();
    },
  });
  const { error } = changing;
  return (
    <form onSubmit={(event) => password.submit(event, changing.mutate)}>
      <Stack>
        {known === undefined && (
          <PasswordField
            label={currentLabel}
            autoComplete="current-password"
            value={current}
            onChange={(value) => {
              setCurrent(value);
              changing.reset();
            }}
            error={isRollcallError(error, 'ACCESS_PASSWORD_WRONG') && sessionCopy.currentWrong}
            isFirst
          />
        )}
        <NewPasswordFields
          password={password}
          error={error}
          onEdit={changing.reset}
          isFirst={known !== undefined}
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
