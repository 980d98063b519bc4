import { TextInput, type TextInputProps } from '@mantine/core';
import { limits } from '@rollcall/client';

interface NewIdInputProps extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'value' | 'ref'> {
  readonly onType: (text: string) => void;
}

/** Enters an ID that no organization or tag has yet. The dialog starts with it. */
export function NewIdInput({ onType, ...props }: NewIdInputProps) {
  return (
    <TextInput
      {...props}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxLength={limits.serialMaxLength}
      autoComplete="off"
      required
      onChange={(event) => onType(event.currentTarget.value)}
      data-autofocus
    />
  );
}
