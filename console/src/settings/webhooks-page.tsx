import { Anchor, Box, Button, Group, Loader, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Advanced } from '../components/disclosure.js';
import { EmptyState } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { usePagedList } from '../components/paged-list.js';
import { ActionProblem, Problem } from '../components/problem.js';
import { StateBadge } from '../components/state-badge.js';
import { activityCopy, commonCopy, settingsCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { webhooksCopy } from '../copy/on-demand-copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { Card, CardActions, CardList } from './cards.js';
import { SecretDates } from './secrets.js';
import {
  healthOf,
  nameOf,
  problemText,
  type Webhook,
  type WebhookAction,
  type WebhookVerb,
} from './webhook.js';
import { DeliveriesDialog } from './webhook-deliveries.js';
import { WebhookDialog } from './webhook-dialog.js';

const copy = webhooksCopy;
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
      <Group justify="space-between" align="start" mb="md">
        <Text c="dimmed" maw={640}>
          {copy.lead}
        </Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>
      </Group>
      <CardList
        list={list}
        empty={<EmptyState title={copy.empty} hint={copy.emptyHint} />}
        card={(webhook) => <WebhookCard key={webhook.id} webhook={webhook} act={setAction} />}
      />
      {action?.kind === 'deliveries' && (
        <DeliveriesDialog webhook={action.webhook} onClose={() => setAction(undefined)} />
      )}
      {action && action.kind !== 'deliveries' && (
        <WebhookDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

const colors = { good: 'green', unused: 'gray', failing: 'red', stopped: 'red', disabled: 'gray' } as const;
/** As soon as a message was sent by hand, the next attempt is due. */
const reload = () => queryClient.invalidateQueries({ queryKey: ['activity', 'webhooks'] });
const eventCount = Object.keys(copy.eventTypes).length;

function WebhookCard({ webhook, act }: { webhook: Webhook; act: (action: WebhookAction) => void }) {
  const [name, health] = [nameOf(webhook), healthOf(webhook)];
  const action = (kind: WebhookVerb) => ({
    id: kind === 'enable' || kind === 'disable' ? 'switch' : kind,
    label: copy[kind],
    onClick: () => act({ kind, webhook }),
  });
  const { eventTypes } = webhook;
  const test = useWebhookTest(webhook);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Card
      name={name}
      badge={<StateBadge color={colors[health]}>{copy.health[health]}</StateBadge>}
      heading={heading}
    >
      <Facts>
        <Failure webhook={webhook} onTried={() => heading.current?.focus()} />
        <Fact name={copy.url}>{webhook.url}</Fact>
        <Fact name={copy.events}>
          {eventTypes.length === eventCount
            ? copy.allEvents
            : eventTypes.map((type) => copy.eventTypes[type]).join(', ')}
        </Fact>
        <Fact name={copy.lastDelivery}>
          {webhook.lastDeliveryAt === null ? copy.never : formatDateTime(webhook.lastDeliveryAt)}
          <br />
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-label={activityCopy.cardAction(copy.deliveries.open, name)}
            onClick={() => act({ kind: 'deliveries', webhook })}
          >
            {copy.deliveries.open}
          </Anchor>
        </Fact>
        <Fact name={copy.secrets}>
          <SecretDates secrets={webhook.secrets} />
        </Fact>
      </Facts>
      <Advanced>
        <Facts>
          <Fact name={copy.created}>{formatDateTime(webhook.createdAt)}</Fact>
          <Fact name={copy.deliveries.upTo}>{formatNumber(webhook.deliveredUpTo)}</Fact>
        </Facts>
        <Button
          size="compact-sm"
          variant="default"
          mt="xs"
          aria-label={activityCopy.cardAction(copy.replay, name)}
          onClick={() => act({ kind: 'replay', webhook })}
        >
          {copy.replay}
        </Button>
      </Advanced>
      <CardActions
        name={name}
        actions={[
          action('edit'),
          { id: 'test', label: settingsCopy.test.action, onClick: () => test.mutate() },
          action('rotate'),
          webhook.isActive ? action('disable') : action('enable'),
          action('remove'),
        ]}
      />
      <TestResult name={name} test={test} />
    </Card>
  );
}

interface RetryProps {
  readonly webhook: Webhook;
  /** The link may be gone then. */
  readonly onTried: () => void;
}

function Failure({ webhook, onTried }: RetryProps) {
  const { disabledCause, disabledBecause, failingSince, attempts, nextAttemptAt } = webhook;
  const { lastProblem, lastStatusCode, lastError } = webhook;
  return (
    <>
      {disabledBecause !== null && (
        <Fact name={copy.disabledBecause}>
          {disabledCause ? copy.deliveries.causes[disabledCause] : <span lang="en">{disabledBecause}</span>}
        </Fact>
      )}
      {failingSince !== null && <Fact name={copy.failingSince}>{formatDateTime(failingSince)}</Fact>}
      {lastError !== null && (
        <Fact name={copy.lastError}>
          {problemText(lastProblem, lastStatusCode) ?? <span lang="en">{lastError}</span>}
        </Fact>
      )}
      {attempts > 0 && <Fact name={copy.attempts}>{formatNumber(attempts)}</Fact>}
      {attempts > 0 && nextAttemptAt !== null && (
        <Fact name={copy.next}>
          {formatDateTime(nextAttemptAt)}
          <br />
          <TryNow webhook={webhook} onTried={onTried} />
        </Fact>
      )}
    </>
  );
}

function TryNow({ webhook, onTried }: RetryProps) {
  const trying = useMutation({
    mutationFn: () => rollcall.call('replayWebhook', { path: { id: webhook.id }, body: {} }),
    onSuccess: () => {
      notify(copy.tried);
      onTried();
      return reload();
    },
  });
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={activityCopy.cardAction(copy.tryNow, nameOf(webhook))}
        onClick={() => trying.mutate()}
      >
        {copy.tryNow}
      </Anchor>
      <ActionProblem title={copy.replayFailed} error={trying.error} />
    </>
  );
}

const testCopy = settingsCopy.test;

/** What the receiver responded to the test event. */
function TestResult({ name, test }: { name: string; test: WebhookTest }) {
  if (test.isIdle) return null;
  return (
    <Box mt="md">
      {test.isPending && <Loader size="sm" aria-label={commonCopy.loading} />}
      {test.isError && <Problem title={testCopy.failed} error={test.error} />}
      {test.data?.delivered && test.data.statusCode !== null && (
        <Notice color="green" role="status">
          {testCopy.delivered(name, test.data.statusCode, test.data.durationMs)}
        </Notice>
      )}
      {test.data?.delivered === false && (
        <Notice color="red" role="alert" title={testCopy.notDelivered(name)}>
          {test.data.statusCode === null ? testCopy.noResponse : testCopy.responded(test.data.statusCode)}
        </Notice>
      )}
    </Box>
  );
}

/** Sends a test event and waits for the response of the receiver. */
function useWebhookTest({ id }: Pick<Webhook, 'id'>) {
  return useMutation({
    mutationFn: async () => (await rollcall.call('testWebhook', { path: { id } })).body.data,
    onSuccess: reload,
  });
}

type WebhookTest = ReturnType<typeof useWebhookTest>;
