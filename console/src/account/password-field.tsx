import { PasswordInput } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useState } from 'react';
import { sessionCopy } from '../copy/copy.js';

interface PasswordFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
  readonly isFirst?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

export function PasswordField({ onChange, isFirst, ...props }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <PasswordInput
      {...props}
      onChange={(event) => onChange(event.currentTarget.value)}
      visible={isVisible}
      onVisibilityChange={setIsVisible}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{
        'aria-label': isVisible ? sessionCopy.hidePassword : sessionCopy.showPassword,
      }}
      required
      withAsterisk={false}
      aria-invalid={Boolean(props.error) || undefined} // which Mantine sets on other inputs only
      data-autofocus={isFirst || undefined}
    />
  );
}
