import { Alert, Button, Group, Text } from '@mantine/core';
import { ConnectionFailed, isRollcallError } from '@rollcall/client';
import { commonCopy, directoriesCopy } from '../copy/copy.js';

interface ProblemProps {
  readonly title: string;
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

export function Problem({ title, error, onRetry }: ProblemProps) {
  const requestId = isRollcallError(error) ? error.requestId : undefined;
  return (
    <Alert color="red" title={title} role="alert" mb="md">
      {error !== undefined && <Text size="sm">{describeError(error)}</Text>}
      <Group mt="xs" gap="md">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {commonCopy.retry}
          </Button>
        )}
        {requestId && (
          <Text size="xs" c="dimmed">
            {commonCopy.requestId(requestId)}
          </Text>
        )}
      </Group>
    </Alert>
  );
}

export function describeError(error: unknown): string {
  if (isRollcallError(error, 'USER_PROTECTED')) return commonCopy.protectedUser;
  if (isRollcallError(error, 'DIRECTORY_ENTRY_EXISTS')) return directoriesCopy.errors.exists;
  if (isRollcallError(error, 'DIRECTORY_ENTRY_NOT_FOUND')) return directoriesCopy.errors.notFound;
  if (isRollcallError(error, 'REQUEST_BODY_INVALID') && error.data.field === 'parentSerial')
    return directoriesCopy.errors.invalidParent;
  if (isRollcallError(error)) return error.detail;
  if (error instanceof ConnectionFailed) return commonCopy.cannotReach;
  return commonCopy.somethingFailed;
}
