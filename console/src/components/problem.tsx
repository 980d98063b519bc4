import { Alert, Button, Group, Text } from '@mantine/core';
import { ConnectionFailed, isRollcallError } from '@rollcall/client';
import { texts } from '../copy/index.js';

interface ProblemProps {
  /** What did not work. */
  readonly title: string;
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Says what went wrong and what can be done about it, in the words of the service where it has some. */
export function Problem({ title, error, onRetry }: ProblemProps) {
  const requestId = isRollcallError(error) ? error.requestId : undefined;
  return (
    <Alert color="red" title={title} role="alert" mb="md">
      {error !== undefined && <Text size="sm">{detailOf(error)}</Text>}
      <Group mt="xs" gap="md">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.common.retry}
          </Button>
        )}
        {requestId && (
          <Text size="xs" c="dimmed">
            {texts.common.requestId(requestId)}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

/** An error in a sentence for a person. */
export function detailOf(error: unknown): string {
  if (isRollcallError(error, 'USER_PROTECTED')) return texts.common.protectedPerson;
  if (isRollcallError(error)) return error.detail;
  if (error instanceof ConnectionFailed) return texts.common.cannotReach;
  return texts.common.somethingFailed;
}
