import { isRollcallError } from '@rollcall/client';
import { type FormEvent, type Ref, useRef, useState } from 'react';
import { describeError } from '../components/error-message.js';
import { sessionCopy } from '../copy/copy.js';
import { PasswordField } from './password-field.js';

/** A new password, typed twice. */
export function useNewPassword() {
  const [chosen, setChosen] = useState('');
  const [again, setAgain] = useState('');
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const forgetConfirmation = () => {
    setAgain('');
    setWasSubmitted(false);
  };
  return {
    ...{ chosen, setChosen, again, setAgain, field },
    // A shorter text may still be being typed.
    differs: wasSubmitted ? again !== chosen : !chosen.startsWith(again),
    submit: (event: FormEvent, send: () => void) => {
      event.preventDefault();
      setWasSubmitted(true);
      if (again === chosen) send();
    },
    clear: () => {
      setChosen('');
      forgetConfirmation();
    },
    /** If it was refused, another one has to be chosen and confirmed. */
    afterError: (error: unknown) => {
      if (!isRollcallError(error, 'ACCESS_PASSWORD_REFUSED')) return;
      forgetConfirmation();
      setTimeout(() => field.current?.focus()); // once it can be used again
    },
  };
}

interface NewPasswordFieldsProps {
  readonly password: ReturnType<typeof useNewPassword>;
  readonly error: unknown;
  readonly onEdit: () => void;
  readonly isFirst?: boolean;
}

export function NewPasswordFields({ password, error, onEdit, isFirst = false }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        ref={password.field as Ref<HTMLInputElement>}
        label={sessionCopy.newPassword}
        description={sessionCopy.newPasswordHint}
        autoComplete="new-password"
        value={password.chosen}
        onChange={(value) => {
          password.setChosen(value);
          onEdit(); // an error is about what was sent, not about what is being typed now
        }}
        error={isRollcallError(error, 'ACCESS_PASSWORD_REFUSED') && describeError(error)}
        isFirst={isFirst}
      />
      <PasswordField
        label={sessionCopy.newPasswordAgain}
        autoComplete="new-password"
        value={password.again}
        onChange={password.setAgain}
        error={password.differs && sessionCopy.passwordsDiffer}
      />
    </>
  );
}
