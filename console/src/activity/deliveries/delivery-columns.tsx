import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { UserLink, useUserName } from '../../components/actor.js';
import type { Column } from '../../components/list-table.js';
import { StateBadge } from '../../components/state-badge.js';
import { activityCopy, commonCopy } from '../../copy/copy.js';
import { formatDateTime, formatNumber } from '../../copy/format.js';
import type { DeliveryAction } from './delivery-dialog.js';
import { deliveryColors, resendable } from './delivery-state.js';

type Delivery = Schemas['Delivery'];
type Act = (action: DeliveryAction) => void;

const copy = activityCopy.deliveries;

export function deliveryColumns(act: Act): Column<Delivery>[] {
  return [
    { header: copy.user, isShort: true, cell: ({ userSerial }) => <UserLink serial={userSerial} /> },
    { header: copy.message, isShort: true, cell: (delivery) => <Message delivery={delivery} /> },
    { header: copy.stateColumn, cell: (delivery) => <State delivery={delivery} /> },
    { header: copy.created, isShort: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
    { header: copy.attempts, isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
    {
      header: copy.next,
      isShort: true,
      cell: ({ nextAttemptAt }) => (nextAttemptAt ? formatDateTime(nextAttemptAt) : commonCopy.none),
    },
    { header: copy.actions, cell: (delivery) => <Actions delivery={delivery} act={act} /> },
  ];
}

function Message({ delivery: { kind, channel } }: { delivery: Delivery }) {
  return (
    <>
      <Text size="sm">{copy.kind[kind]}</Text>
      {channel !== null && (
        <Text size="xs" c="dimmed">
          {copy.channel[channel as keyof typeof copy.channel] ?? channel}
        </Text>
      )}
    </>
  );
}

function State({ delivery: { state, heldReason, sentAt, lastError } }: { delivery: Delivery }) {
  return (
    <>
      <StateBadge color={deliveryColors[state]}>{copy.state[state]}</StateBadge>
      {heldReason !== null && (
        <Text size="xs" maw={280}>
          {copy.heldReason[heldReason]}
        </Text>
      )}
      {sentAt !== null && (
        <Text size="xs" c="dimmed">
          {formatDateTime(sentAt)}
        </Text>
      )}
      {lastError !== null && (
        <Text size="xs" maw={280} style={{ overflowWrap: 'anywhere' }}>
          {copy.technicalReason}: <span lang="en">{lastError}</span>
        </Text>
      )}
    </>
  );
}

function Actions({ delivery: { id, state, userSerial }, act }: { delivery: Delivery; act: Act }) {
  const { data: name } = useUserName(userSerial);
  const labelled = (action: string) => copy.action(action, name ?? activityCopy.actors.removed);
  return (
    <Group gap="xs" wrap="nowrap">
      {resendable.includes(state) && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={labelled(copy.resend)}
          onClick={() => act({ kind: 'resend', id })}
        >
          {copy.resend}
        </Button>
      )}
      {state === 'held' && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={labelled(copy.release)}
          onClick={() => act({ kind: 'release', which: { ids: [id] } })}
        >
          {copy.release}
        </Button>
      )}
    </Group>
  );
}
