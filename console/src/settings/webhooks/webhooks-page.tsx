import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CardList } from '../../components/card-list.js';
import { EmptyState } from '../../components/empty-state.js';
import { usePagedList } from '../../components/paged-list.js';
import { activityCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import { healthOf, type Webhook, type WebhookAction } from './webhook.js';
import { WebhookCard } from './webhook-card.js';
import { WebhookDialog } from './webhook-dialog.js';

const copy = activityCopy.webhooks;
/** Webhooks fail and recover by themselves, and the user may be waiting for that. */
const intervalMs = { healthy: 15_000, failing: 3_000 };

export function WebhooksPage() {
  const [action, setAction] = useState<WebhookAction>();
  const list = usePagedList<Webhook>({
    key: ['activity', 'webhooks'],
    load: async (page, signal) => (await rollcall.call('listWebhooks', { query: page, signal })).body.data,
    refetchMs: (webhooks) => {
      const isAnyFailing = webhooks.some((webhook) => healthOf(webhook) === 'failing');
      return isAnyFailing ? intervalMs.failing : intervalMs.healthy;
    },
  });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{copy.lead}</Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>
      </Group>
      <CardList
        list={list}
        empty={<EmptyState title={copy.empty} hint={copy.emptyHint} />}
        card={(webhook) => <WebhookCard key={webhook.id} webhook={webhook} act={setAction} />}
      />
      {action && <WebhookDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />}
    </>
  );
}
