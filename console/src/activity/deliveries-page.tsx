import { Button, Group, Select, Skeleton, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { UserLink, useUserName } from '../components/actor.js';
import { parseChoice, selectOptions } from '../components/choices.js';
import { EmptyState, NoMatches } from '../components/empty-state.js';
import { UserFilter, useFilters } from '../components/filters.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { deliveryColors, firstState, resendable } from './delivery.js';
import { type DeliveryAction, DeliveryDialog } from './delivery-dialog.js';
import { FailureReason } from './failure-reason.js';

type Delivery = Schemas['Delivery'];

const copy = activityCopy.deliveries;
const states = { ...copy.state, all: copy.all };

export function DeliveriesPage() {
  const { get, set } = useFilters();
  const shown = parseChoice(states, get('state'));
  const isFiltered = get('userSerial') !== null || get('requestId') !== null;
  const { data: first } = useQuery({ ...firstStateQuery, enabled: shown === undefined && !isFiltered });
  const opened = isFiltered ? 'all' : first;
  // Stays in the URL, because the page should not jump to another state when its last message is sent.
  useEffect(() => {
    if (shown === undefined && opened !== undefined) set({ state: opened });
  });
  return shown === undefined ? <Skeleton height={240} /> : <Deliveries shown={shown} />;
}

function Deliveries({ shown }: { shown: keyof typeof states }) {
  const { get, set } = useFilters();
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
          data={selectOptions(states)}
          value={shown}
          onChange={(value) => set({ state: value })}
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
        columns={deliveryColumns(setAction)}
        list={list}
        keyOf={({ id }) => id}
        minWidth={860}
        empty={
          <NoDeliveries
            shown={shown}
            onClear={isFiltered ? clear : undefined}
            onAll={() => set({ state: 'all' })}
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

const firstStateQuery = queryOptions({
  queryKey: ['activity', 'deliveries', 'first-state'],
  queryFn: ({ signal }) =>
    firstState(async (state) => {
      const query = { state, limit: 1 };
      return (await rollcall.call('listDeliveries', { query, signal })).body.data.items.length > 0;
    }),
  staleTime: 0,
  gcTime: 0,
});

type Act = (action: DeliveryAction) => void;

function deliveryColumns(act: Act): Column<Delivery>[] {
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

function State({ delivery }: { delivery: Delivery }) {
  const { state, heldReason, sentAt } = delivery;
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
      <FailureReason delivery={delivery} size="xs" maw={280} />
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
