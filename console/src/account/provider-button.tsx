import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { sessionCopy } from '../copy/copy.js';

interface ProviderButtonProps {
  readonly name: string | null;
  readonly isFirst?: boolean;
  /** Returns whether it could begin: the browser may refuse to open a window. */
  readonly onContinue: () => boolean;
}

/** Leads to the identity provider of the company. */
export function ProviderButton({ name, isFirst, onContinue }: ProviderButtonProps) {
  const [isBlocked, setIsBlocked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  return (
    <Stack gap={4}>
      <Button
        variant={isFirst ? 'filled' : 'default'}
        ref={button}
        data-autofocus={isFirst || undefined}
        onClick={() => setIsBlocked(!onContinue())}
      >
        {sessionCopy.continueWith(name)}
      </Button>
      {isBlocked && (
        <Text size="sm" role="alert">
          {sessionCopy.windowBlocked}
        </Text>
      )}
    </Stack>
  );
}
