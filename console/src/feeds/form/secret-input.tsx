import { Button, Group, Input, PasswordInput, Text, Textarea } from '@mantine/core';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { below } from './section.js';

interface SecretInputProps {
  readonly label: string;
  readonly hint?: string;
  /** Undefined keeps the stored one. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  /** Whether there is a stored one that still fits. */
  readonly isKept: boolean;
  /** Whether there is one that no longer fits. */
  readonly isLost: boolean;
  readonly isOptional?: boolean;
  /** Private keys have several lines. */
  readonly isLong?: boolean;
  readonly error: string | undefined;
}

const copy = feedFormCopy.secrets;

/** Enters a secret, or says that one is stored. */
export function SecretInput(props: SecretInputProps) {
  const {
    label,
    hint = copy.hint,
    value,
    onChange,
    isKept,
    isLost,
    isOptional = false,
    isLong,
    error,
  } = props;
  if (isKept && value === undefined) {
    return (
      <Input.Wrapper label={label} labelElement="div" error={error} inputWrapperOrder={below}>
        <Group gap="sm">
          <Text size="sm">{copy.saved}</Text>
          <Button
            size="xs"
            variant="default"
            aria-label={copy.replaceLabel(label)}
            onClick={() => onChange('')}
          >
            {copy.replace}
          </Button>
        </Group>
      </Input.Wrapper>
    );
  }
  const shared = {
    ...{ label, error, inputWrapperOrder: below, autoComplete: 'off', spellCheck: false },
    description: isLost ? copy.again : hint,
    withAsterisk: !isOptional,
    'aria-required': !isOptional || undefined,
    value: value ?? '',
  };
  return (
    <div>
      {isLong ? (
        <Textarea
          {...shared}
          rows={5}
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput
          {...shared}
          autoComplete="new-password"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {isKept && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => onChange(undefined)}>
          {copy.keep}
        </Button>
      )}
    </div>
  );
}
