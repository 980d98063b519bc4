import { Alert, Button, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { commonCopy } from '../copy/copy.js';
import { TechnicalDetails } from './disclosure.js';
import { describeError, needsSupport } from './error-message.js';

interface ProblemProps {
  readonly title: string;
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

export function Problem({ title, error, onRetry }: ProblemProps) {
  const requestId = isRollcallError(error) && needsSupport(error) ? error.requestId : undefined;
  return (
    <Alert color="red" title={title} role="alert" mb="md">
      {error !== undefined && <Text size="sm">{describeError(error)}</Text>}
      {onRetry && (
        <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
          {commonCopy.retry}
        </Button>
      )}
      {requestId && <TechnicalDetails>{commonCopy.requestId(requestId)}</TechnicalDetails>}
    </Alert>
  );
}

/** Expired sessions are left to the sign-in dialog. */
export function ActionProblem({ title, error }: { title: string; error: unknown }) {
  if (!error || (isRollcallError(error) && error.status === 401)) return null;
  return <Problem title={title} error={error} />;
}
