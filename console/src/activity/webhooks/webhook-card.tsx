import { Group, Paper, Title } from '@mantine/core';
import { CardActions } from '../../components/card-actions.js';
import { Fact, Facts } from '../../components/facts.js';
import { SecretDates } from '../../components/secret-dates.js';
import { StateBadge } from '../../components/state-badge.js';
import { number, when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import { healthOf, nameOf, type Webhook, type WebhookAction, type WebhookVerb } from './webhook.js';

const words = texts.activity.webhooks;
const colours = { good: 'green', failing: 'red', stopped: 'red', disabled: 'gray' } as const;
const eventCount = Object.keys(words.eventTypes).length;

export function WebhookCard({ webhook, act }: { webhook: Webhook; act: (action: WebhookAction) => void }) {
  const [name, health] = [nameOf(webhook), healthOf(webhook)];
  const action = (kind: WebhookVerb) => ({
    id: kind === 'enable' || kind === 'disable' ? 'switch' : kind,
    label: words[kind],
    onClick: () => act({ kind, webhook }),
  });
  const { eventTypes } = webhook;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <StateBadge colour={colours[health]}>{words.health[health]}</StateBadge>
      </Group>
      <Facts>
        <Trouble webhook={webhook} />
        <Fact name={words.url}>{webhook.url}</Fact>
        <Fact name={words.events}>
          {eventTypes.length === eventCount
            ? words.allEvents
            : eventTypes.map((type) => words.eventTypes[type]).join(', ')}
        </Fact>
        <Fact name={words.delivered}>{number(webhook.deliveredUpTo)}</Fact>
        <Fact name={words.lastDelivery}>
          {webhook.lastDeliveryAt === null ? words.never : when(webhook.lastDeliveryAt)}
        </Fact>
        <Fact name={words.secrets}>
          <SecretDates secrets={webhook.secrets} />
        </Fact>
        <Fact name={words.created}>{when(webhook.createdAt)}</Fact>
      </Facts>
      <CardActions
        name={name}
        actions={[
          action('edit'),
          action('rotate'),
          action('replay'),
          webhook.isActive ? action('disable') : action('enable'),
          action('remove'),
        ]}
      />
    </Paper>
  );
}

/** What is wrong, as far as something is. */
function Trouble({ webhook }: { webhook: Webhook }) {
  const { disabledBecause, failingSince, attempts, nextAttemptAt, lastError } = webhook;
  return (
    <>
      {disabledBecause !== null && <Fact name={words.disabledBecause}>{disabledBecause}</Fact>}
      {failingSince !== null && <Fact name={words.failingSince}>{when(failingSince)}</Fact>}
      {lastError !== null && <Fact name={words.lastError}>{lastError}</Fact>}
      {attempts > 0 && <Fact name={words.attempts}>{number(attempts)}</Fact>}
      {attempts > 0 && nextAttemptAt !== null && <Fact name={words.next}>{when(nextAttemptAt)}</Fact>}
    </>
  );
}
