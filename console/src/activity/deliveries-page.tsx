import { Button, Group, Select, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { UserLink, useAddress, useIsGone, useUserName } from '../components/actor.js';
import { parseChoice, selectOptions } from '../components/choices.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { UserFilter, useFilters } from '../components/filters.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { useIsPhone } from '../components/use-is-phone.js';
import { activityCopy, commonCopy, userPageCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber, formatTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { deliveryColors, needsAddress, newAddress, resendable } from './delivery.js';
import { type DeliveryAction, DeliveryDialog } from './delivery-dialog.js';
import { FailureReason } from './failure-reason.js';

type Delivery = Schemas['Delivery'];

const copy = activityCopy.deliveries;
const states = { ...copy.state, all: copy.all };

export function DeliveriesPage() {
  const { get, set } = useFilters();
  const isPhone = useIsPhone();
  const shown = parseChoice(states, get('state')) ?? 'all';
  const [action, setAction] = useState<DeliveryAction>();
  const state = shown === 'all' ? undefined : shown;
  const [userSerial, requestId] = [get('userSerial') ?? undefined, get('requestId') ?? undefined];
  const list = usePagedList<Delivery>({
    key: ['activity', 'deliveries', { state, userSerial, requestId }],
    load: async (page, signal) => {
      const query = { state, userSerial, requestId, ...page };
      return (await rollcall.call('listDeliveries', { query, signal })).body.data;
    },
  });
  const isFiltered = userSerial !== undefined || requestId !== undefined;
  const clear = () => set({ userSerial: null, requestId: null });
  const hasHeld = list.items.some((delivery) => delivery.state === 'held') && userSerial === undefined;
  return (
    <>
      <Text c="dimmed" mb="sm">
        {copy.lead}
      </Text>
      <Group mb="sm" align="flex-end">
        <Select
          label={copy.filterState}
          data={useStateOptions()}
          value={shown}
          onChange={(value) => set({ state: value === 'all' ? null : value })}
          allowDeselect={false}
          w={200}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
            {commonCopy.clearFilters}
          </Button>
        )}
        {hasHeld && (
          <Button
            variant="default"
            onClick={() => setAction({ kind: 'release', which: requestId ? { requestId } : 'all' })}
          >
            {requestId ? copy.releaseCall : copy.releaseAll}
          </Button>
        )}
      </Group>
      {state && list.items.length > 0 && (
        <Text size="sm" mb="sm">
          {copy.stateHint[state]}
        </Text>
      )}
      {userSerial && <UserFilter label={copy.onlyUser} serial={userSerial} />}
      {requestId && (
        <Text size="sm" mb="sm">
          {copy.onlyRequest}
        </Text>
      )}
      <ListTable
        label={copy.table}
        columns={(isPhone ? phoneColumns : deliveryColumns)(setAction)}
        list={list}
        keyOf={({ id }) => id}
        minWidth={isPhone ? 0 : 820}
        empty={
          <NoDeliveries
            shown={shown}
            onClear={isFiltered ? clear : undefined}
            onAll={() => set({ state: null })}
          />
        }
      />
      {action && <DeliveryDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

interface NoDeliveriesProps {
  readonly shown: keyof typeof states;
  readonly onClear: (() => void) | undefined;
  readonly onAll: () => void;
}

function NoDeliveries({ shown, onClear, onAll }: NoDeliveriesProps) {
  if (onClear) return <NoMatches onClear={onClear} />;
  return (
    <EmptyState title={copy.empty[shown]}>
      {shown !== 'all' && (
        <Button variant="default" onClick={onAll}>
          {copy.showAll}
        </Button>
      )}
    </EmptyState>
  );
}

/** As many as the service counts. Those that nobody has to deal with are not counted. */
function useStateOptions() {
  const { data: counts } = useQuery({
    queryKey: ['activity', 'deliveries', 'counts'],
    queryFn: async ({ signal }) => (await rollcall.call('getStatus', { signal })).body.data.queues.messages,
  });
  return selectOptions(states).map(({ value, label }) => {
    const count = counts && value in counts ? counts[value as keyof typeof counts] : null;
    return { value, label: count ? copy.stateCount(label, formatNumber(count)) : label };
  });
}

type Act = (action: DeliveryAction) => void;

function deliveryColumns(act: Act): Column<Delivery>[] {
  return [
    { header: copy.user, cell: (delivery) => <To delivery={delivery} /> },
    { header: copy.message, isShort: true, cell: (delivery) => <Message delivery={delivery} /> },
    { header: copy.stateColumn, cell: (delivery) => <State delivery={delivery} /> },
    { header: activityCopy.signIns.when, isShort: true, cell: (delivery) => <When delivery={delivery} /> },
    { header: copy.actions, cell: (delivery) => <Action delivery={delivery} act={act} /> },
  ];
}

/** With everything in two columns. */
function phoneColumns(act: Act): Column<Delivery>[] {
  return [
    {
      header: copy.user,
      cell: (delivery) => (
        <>
          <To delivery={delivery} />
          <Message delivery={delivery} />
          <When delivery={delivery} />
        </>
      ),
    },
    {
      header: copy.stateColumn,
      cell: (delivery) => (
        <>
          <State delivery={delivery} />
          <Action delivery={delivery} act={act} />
        </>
      ),
    },
  ];
}

function To({ delivery: { userSerial, address } }: { delivery: Delivery }) {
  return (
    <div style={{ overflowWrap: 'anywhere', minWidth: 'min(13rem, 30vw)' }}>
      <UserLink serial={userSerial} />
      {address !== null && (
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      )}
    </div>
  );
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

function State({ delivery }: { delivery: Delivery }) {
  const { state, heldReason, userSerial } = delivery;
  const address = useAddress(userSerial);
  return (
    <>
      <StateBadge color={deliveryColors[state]}>{copy.state[state]}</StateBadge>
      {heldReason !== null && (
        <Text size="xs" maw={320}>
          {copy.heldReason[heldReason]}
        </Text>
      )}
      <FailureReason delivery={delivery} address={address} size="xs" maw={320} />
    </>
  );
}

/** When it was sent, or requested, and what comes next. */
function When({ delivery: { sentAt, createdAt, nextAttemptAt, attempts } }: { delivery: Delivery }) {
  const { timeline } = userPageCopy;
  const facts = [
    attempts > 1 ? [timeline.attempts(attempts)] : [],
    attempts > 0 && nextAttemptAt !== null ? [timeline.nextAttempt(formatTime(nextAttemptAt))] : [],
  ].flat();
  return (
    <>
      <Text size="sm">{formatDateTime(sentAt ?? createdAt)}</Text>
      {facts.length > 0 && (
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
    </>
  );
}

/** What helps: a corrected address, another attempt, or a release. */
function Action({ delivery, act }: { delivery: Delivery; act: Act }) {
  const { id, state, userSerial } = delivery;
  const { data: name } = useUserName(userSerial);
  const address = useAddress(userSerial);
  const isGone = useIsGone(userSerial);
  const labelled = (action: string) => copy.action(action, name ?? activityCopy.actors.removed);
  if (state === 'held') {
    return (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={labelled(copy.release)}
        onClick={() => act({ kind: 'release', which: { ids: [id] } })}
      >
        {copy.release}
      </Button>
    );
  }
  if (isGone || !resendable.includes(state)) return null;
  if (state === 'parked' && needsAddress(delivery, address)) {
    return (
      <Button
        component={Link}
        href={`/users/${userSerial}`}
        size="compact-sm"
        variant="default"
        aria-label={labelled(copy.correct)}
      >
        {copy.correct}
      </Button>
    );
  }
  const to = newAddress(delivery, address);
  const again = state === 'waiting' ? copy.sendNow : copy.resend;
  const text = to === undefined ? again : copy.resendTo(to);
  return (
    <Button
      size="compact-sm"
      variant={state === 'sent' ? 'subtle' : 'default'}
      h="auto"
      mih={26}
      py={4}
      styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.3 } }}
      aria-label={labelled(text)}
      onClick={() => act({ kind: 'resend', id, to })}
    >
      {text}
    </Button>
  );
}
