import { Group, Paper, Title } from '@mantine/core';
import { CardActions } from '../../components/card-actions.js';
import { Fact, Facts } from '../../components/facts.js';
import { SecretDates } from '../../components/secret-dates.js';
import { StateBadge } from '../../components/state-badge.js';
import { activityCopy, settingsCopy } from '../../copy/copy.js';
import { formatDateTime, formatNumber } from '../../copy/format.js';
import { TestResult } from './test-result.js';
import { useWebhookTest } from './use-webhook-test.js';
import { healthOf, nameOf, type Webhook, type WebhookAction, type WebhookVerb } from './webhook.js';

const copy = activityCopy.webhooks;
const colors = { good: 'green', failing: 'red', stopped: 'red', disabled: 'gray' } as const;
const eventCount = Object.keys(copy.eventTypes).length;

export function WebhookCard({ webhook, act }: { webhook: Webhook; act: (action: WebhookAction) => void }) {
  const [name, health] = [nameOf(webhook), healthOf(webhook)];
  const action = (kind: WebhookVerb) => ({
    id: kind === 'enable' || kind === 'disable' ? 'switch' : kind,
    label: copy[kind],
    onClick: () => act({ kind, webhook }),
  });
  const { eventTypes } = webhook;
  const test = useWebhookTest(webhook);
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <StateBadge color={colors[health]}>{copy.health[health]}</StateBadge>
      </Group>
      <Facts>
        <Failure webhook={webhook} />
        <Fact name={copy.url}>{webhook.url}</Fact>
        <Fact name={copy.events}>
          {eventTypes.length === eventCount
            ? copy.allEvents
            : eventTypes.map((type) => copy.eventTypes[type]).join(', ')}
        </Fact>
        <Fact name={copy.delivered}>{formatNumber(webhook.deliveredUpTo)}</Fact>
        <Fact name={copy.lastDelivery}>
          {webhook.lastDeliveryAt === null ? copy.never : formatDateTime(webhook.lastDeliveryAt)}
        </Fact>
        <Fact name={copy.secrets}>
          <SecretDates secrets={webhook.secrets} />
        </Fact>
        <Fact name={copy.created}>{formatDateTime(webhook.createdAt)}</Fact>
      </Facts>
      <CardActions
        name={name}
        actions={[
          action('edit'),
          { id: 'test', label: settingsCopy.test.action, onClick: () => test.mutate() },
          action('rotate'),
          action('replay'),
          webhook.isActive ? action('disable') : action('enable'),
          action('remove'),
        ]}
      />
      <TestResult name={name} test={test} />
    </Paper>
  );
}

function Failure({ webhook }: { webhook: Webhook }) {
  const { disabledBecause, failingSince, attempts, nextAttemptAt, lastError } = webhook;
  return (
    <>
      {disabledBecause !== null && (
        <Fact name={copy.disabledBecause}>
          <span lang="en">{disabledBecause}</span>
        </Fact>
      )}
      {failingSince !== null && <Fact name={copy.failingSince}>{formatDateTime(failingSince)}</Fact>}
      {lastError !== null && (
        <Fact name={copy.lastError}>
          <span lang="en">{lastError}</span>
        </Fact>
      )}
      {attempts > 0 && <Fact name={copy.attempts}>{formatNumber(attempts)}</Fact>}
      {attempts > 0 && nextAttemptAt !== null && (
        <Fact name={copy.next}>{formatDateTime(nextAttemptAt)}</Fact>
      )}
    </>
  );
}
