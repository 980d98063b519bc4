import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { deliveryColors, resendable } from '../../activity/delivery.js';
import { type DeliveryAction, DeliveryDialog } from '../../activity/delivery-dialog.js';
import { StateBadge } from '../../components/state-badge.js';
import { activityCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import type { Message } from './timeline-entry.js';

const copy = activityCopy.deliveries;

/** The state of a message, and what can be done about it. */
export function MessageBody({ message }: { message: Message }) {
  const { id, state, heldReason, lastError } = message;
  const facts = factsOf(message);
  const [action, setAction] = useState<DeliveryAction>();
  return (
    <>
      <Group gap="xs" mt={2}>
        <StateBadge color={deliveryColors[state]}>{copy.state[state]}</StateBadge>
        {facts.length > 0 && (
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        )}
        {isWorthResending(message) && (
          <Button size="compact-xs" variant="default" onClick={() => setAction({ kind: 'resend', id })}>
            {copy.resend}
          </Button>
        )}
        {state === 'held' && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setAction({ kind: 'release', which: { ids: [id] } })}
          >
            {copy.release}
          </Button>
        )}
      </Group>
      {heldReason !== null && <Text size="sm">{copy.heldReason[heldReason]}</Text>}
      {lastError !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {copy.technicalReason}: <span lang="en">{lastError}</span>
        </Text>
      )}
      {action && <DeliveryDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

/** A notice that has arrived says nothing new. */
function isWorthResending({ kind, state }: Message): boolean {
  return resendable.includes(state) && !(kind === 'account-changed' && state === 'sent');
}

function factsOf({ channel, sentAt, nextAttemptAt, attempts }: Message): string[] {
  const { sentAt: sent, attempts: tries, nextAttempt } = userPageCopy.timeline;
  return [
    channel === null ? [] : [copy.channel[channel]],
    sentAt === null ? [] : [sent(formatDateTime(sentAt))],
    attempts > 0 && sentAt === null ? [tries(attempts)] : [],
    nextAttemptAt === null || attempts === 0 ? [] : [nextAttempt(formatDateTime(nextAttemptAt))],
  ].flat();
}
