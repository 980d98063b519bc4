import { Text, type TextProps } from '@mantine/core';
import { activityCopy } from '../copy/copy.js';
import { type FailedDelivery, failureText } from './delivery.js';

interface FailureReasonProps extends TextProps {
  readonly delivery: FailedDelivery;
  /** Of the user. */
  readonly address: string | null | undefined;
}

/** Why the last attempt to send a message failed, if it did. */
export function FailureReason({ delivery, address, ...props }: FailureReasonProps) {
  const text = failureText(delivery, address);
  if (text === undefined && delivery.lastError === null) return null;
  return (
    <Text {...props} style={{ overflowWrap: 'anywhere' }}>
      {text ?? (
        <>
          {activityCopy.deliveries.technicalReason}: <span lang="en">{delivery.lastError}</span>
        </>
      )}
    </Text>
  );
}
