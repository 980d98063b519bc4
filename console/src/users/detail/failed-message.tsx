import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DeliveryDialog } from '../../activity/delivery-dialog.js';
import { FailureReason } from '../../activity/failure-reason.js';
import { Notice } from '../../components/notice.js';
import { activityCopy, userPageCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import type { User } from '../data/user.js';
import { failedPasswordQuery } from '../data/user-queries.js';

const copy = userPageCopy.failedMessage;

/** Says that the user has not received the last password, to those who can correct the address and send it again. */
export function FailedMessage({ user: { serial, email, phone } }: { user: User }) {
  const { data: failed } = useQuery({
    ...failedPasswordQuery(serial),
    enabled: usePermission('access:admin'),
  });
  const [isResending, setIsResending] = useState(false);
  if (!failed) return null;
  const field = email === null ? 'phone' : 'email';
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <Notice color="red" role="status" title={copy.title}>
        <Text size="sm">{copy.hint(email ?? phone ?? '')}</Text>
        <FailureReason delivery={failed} size="sm" />
        <Group gap="xs" mt="sm">
          <Button
            size="sm"
            variant="default"
            onClick={() => document.querySelector<HTMLElement>(`form input[name="${field}"]`)?.focus()}
          >
            {copy.correct[field]}
          </Button>
          <Button size="sm" variant="default" onClick={() => setIsResending(true)}>
            {activityCopy.deliveries.resend}
          </Button>
        </Group>
      </Notice>
      {isResending && (
        <DeliveryDialog action={{ kind: 'resend', id: failed.id }} onClose={() => setIsResending(false)} />
      )}
    </div>
  );
}
