import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
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
  return (
    <Stack gap={4}>
      <Button
        variant={isFirst ? 'filled' : 'default'}
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
