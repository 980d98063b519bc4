import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../components/dialog.js';
import { notify } from '../components/notify.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { ActionProblem, Problem } from '../components/problem.js';
import { StateBadge } from '../components/state-badge.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { webhooksCopy } from '../copy/on-demand-copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { nameOf, problemText, type Webhook } from './webhook.js';

type Delivery = Schemas['WebhookDelivery'];

const copy = webhooksCopy.deliveries;
const refetchMs = 5_000;

/** What was sent to a webhook in the last days, and what it responded. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [shown, setShown] = useState<Delivery>();
  return (
    <Dialog title={copy.title(nameOf(webhook))} size="xl" onClose={onClose}>
      {shown ? (
        <DeliveryDetails webhook={webhook} delivery={shown} onBack={() => setShown(undefined)} />
      ) : (
        <Deliveries webhook={webhook} onShow={setShown} />
      )}
    </Dialog>
  );
}

function Deliveries({ webhook, onShow }: { webhook: Webhook; onShow: (delivery: Delivery) => void }) {
  const list = usePagedList<Delivery>({
    key: ['activity', 'webhook-deliveries', webhook.id],
    load: async (page, signal) => {
      const options = { path: { id: webhook.id }, query: page, signal };
      return (await rollcall.call('listWebhookDeliveries', options)).body.data;
    },
    refetchMs: () => refetchMs,
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {copy.lead}
      </Text>
      <ListTable
        label={copy.open}
        columns={columnsWith(onShow)}
        list={list}
        keyOf={({ id }) => id}
        minWidth={520}
        empty={<Text size="sm">{copy.empty}</Text>}
      />
    </Stack>
  );
}

function columnsWith(onShow: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  return [
    {
      header: copy.time,
      cell: (delivery) => (
        <>
          <div>{formatDateTime(delivery.at)}</div>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={activityCopy.cardAction(copy.show, formatDateTime(delivery.at))}
            onClick={() => onShow(delivery)}
          >
            {copy.show}
          </Button>
        </>
      ),
    },
    { header: copy.event, cell: eventText },
    { header: copy.attempt, isNumber: true, cell: ({ attempt }) => formatNumber(attempt) },
    { header: copy.outcome, cell: (delivery) => <Outcome delivery={delivery} /> },
    {
      header: copy.took,
      isNumber: true,
      isShort: true,
      cell: ({ durationMs }) => copy.ms(formatNumber(durationMs)),
    },
  ];
}

function eventText({ eventType, sequences }: Delivery): string {
  const event = webhooksCopy.eventTypes[eventType];
  return sequences.length > 1 ? copy.several(event, formatNumber(sequences.length - 1)) : event;
}

function Outcome({ delivery: { isDelivered, statusCode, problem } }: { delivery: Delivery }) {
  return (
    <>
      <StateBadge color={isDelivered ? 'green' : 'red'}>
        {isDelivered ? copy.delivered : copy.failed}
      </StateBadge>
      <Text size="xs">{problemText(problem, statusCode) ?? statusCode ?? copy.noResponse}</Text>
    </>
  );
}

interface DeliveryDetailsProps {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  readonly onBack: () => void;
}

function DeliveryDetails({ webhook, delivery, onBack }: DeliveryDetailsProps) {
  const path = { id: webhook.id, deliveryId: delivery.id };
  const { data, error, refetch } = useQuery({
    queryKey: ['activity', 'webhook-delivery', webhook.id, delivery.id],
    queryFn: async ({ signal }) => (await rollcall.call('getWebhookDelivery', { path, signal })).body.data,
  });
  const resend = useMutation({
    mutationFn: async () => (await rollcall.call('resendWebhookDelivery', { path })).body.data,
    onSuccess: ({ isDelivered, statusCode }) => {
      notify(isDelivered && statusCode !== null ? copy.resent(statusCode) : copy.notResent);
      onBack();
      return queryClient.invalidateQueries({ queryKey: ['activity', 'webhook-deliveries', webhook.id] });
    },
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm">
          {formatDateTime(delivery.at)} · {eventText(delivery)}
        </Text>
        <Outcome delivery={delivery} />
      </Group>
      {error !== null && (
        <Problem title={activityCopy.list.cannotLoad} error={error} onRetry={() => void refetch()} />
      )}
      {!data && error === null && <Loader size="sm" aria-label={commonCopy.loading} />}
      {data && (
        <>
          <Body title={copy.payload} text={data.payload} otherwise={copy.noPayload} />
          <Body title={copy.response} text={data.response} otherwise={copy.noResponseBody} />
        </>
      )}
      <ActionProblem title={copy.cannotResend} error={resend.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {commonCopy.back}
        </Button>
        <Button loading={resend.isPending} disabled={!data?.payload} onClick={() => resend.mutate()}>
          {copy.resend}
        </Button>
      </Group>
    </Stack>
  );
}

function Body({ title, text, otherwise }: { title: string; text: string | null; otherwise: string }) {
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {text === null ? (
        <Text size="sm">{otherwise}</Text>
      ) : (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} lang="zxx">
          {indented(text)}
        </Code>
      )}
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
