import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { needsAddress, newAddress } from '../../activity/delivery.js';
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
  const address = email ?? phone;
  const to = newAddress(failed, address);
  const resend = (
    <Button size="sm" variant={to ? 'filled' : 'default'} onClick={() => setIsResending(true)}>
      {to ? activityCopy.deliveries.resendTo(to) : activityCopy.deliveries.resend}
    </Button>
  );
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <Notice color="red" role="status" title={copy.title}>
        <FailureReason delivery={failed} address={address} size="sm" />
        <Group gap="xs" mt="sm">
          {needsAddress(failed, address) && (
            <Button
              size="sm"
              onClick={() => document.querySelector<HTMLElement>(`form input[name="${field}"]`)?.focus()}
            >
              {copy.correct[field]}
            </Button>
          )}
          {resend}
        </Group>
      </Notice>
      {isResending && (
        <DeliveryDialog
          action={{ kind: 'resend', id: failed.id, to }}
          onClose={() => setIsResending(false)}
        />
      )}
    </div>
  );
}
