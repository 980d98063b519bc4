import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Person, usePersonName } from '../../components/actor.js';
import type { Column } from '../../components/list-table.js';
import { StateBadge, type StateColour } from '../../components/state-badge.js';
import { number, when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import type { DeliveryAction } from './delivery-dialog.js';

type Delivery = Schemas['Delivery'];
type Act = (action: DeliveryAction) => void;

const words = texts.activity.deliveries;
const colours: Readonly<Record<Delivery['state'], StateColour>> = {
  parked: 'red',
  waiting: 'blue',
  held: 'yellow',
  dormant: 'yellow',
  sent: 'green',
  cancelled: 'gray',
};

export function deliveryColumns(act: Act): Column<Delivery>[] {
  return [
    { header: words.person, isShort: true, cell: ({ userSerial }) => <Person serial={userSerial} /> },
    { header: words.message, isShort: true, cell: (delivery) => <Message delivery={delivery} /> },
    { header: words.stateColumn, cell: (delivery) => <State delivery={delivery} /> },
    { header: words.created, isShort: true, cell: ({ createdAt }) => when(createdAt) },
    { header: words.attempts, isNumber: true, cell: ({ attempts }) => number(attempts) },
    {
      header: words.next,
      isShort: true,
      cell: ({ nextAttemptAt }) => (nextAttemptAt ? when(nextAttemptAt) : texts.common.none),
    },
    { header: words.actions, cell: (delivery) => <Actions delivery={delivery} act={act} /> },
  ];
}

function Message({ delivery: { kind, channel } }: { delivery: Delivery }) {
  return (
    <>
      <Text size="sm">{words.kind[kind]}</Text>
      {channel !== null && (
        <Text size="xs" c="dimmed">
          {words.channel[channel as keyof typeof words.channel] ?? channel}
        </Text>
      )}
    </>
  );
}

function State({ delivery: { state, heldReason, sentAt, lastError } }: { delivery: Delivery }) {
  return (
    <>
      <StateBadge colour={colours[state]}>{words.state[state]}</StateBadge>
      {heldReason !== null && (
        <Text size="xs" maw={280}>
          {words.heldReason[heldReason]}
        </Text>
      )}
      {sentAt !== null && (
        <Text size="xs" c="dimmed">
          {when(sentAt)}
        </Text>
      )}
      {lastError !== null && (
        <Text size="xs" maw={280} style={{ overflowWrap: 'anywhere' }}>
          {lastError}
        </Text>
      )}
    </>
  );
}

/** One that waits may have a long pause ahead of it; sent again it goes out at once. */
const canBeSentAgain: readonly Delivery['state'][] = ['parked', 'sent', 'waiting'];

function Actions({ delivery: { id, state, userSerial }, act }: { delivery: Delivery; act: Act }) {
  const { data: name } = usePersonName(userSerial);
  const labelled = (action: string) => `${action}: ${name ?? userSerial}`;
  return (
    <Group gap="xs" wrap="nowrap">
      {canBeSentAgain.includes(state) && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={labelled(words.resend)}
          onClick={() => act({ kind: 'resend', id })}
        >
          {words.resend}
        </Button>
      )}
      {state === 'held' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={labelled(words.release)}
          onClick={() => act({ kind: 'release', which: { ids: [id] } })}
        >
          {words.release}
        </Button>
      )}
    </Group>
  );
}
