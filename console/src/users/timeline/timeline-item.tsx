import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { eventDetail, refusals } from '../../activity/access-events.js';
import { deliveryColors, newAddress, resendable } from '../../activity/delivery.js';
import { type DeliveryAction, DeliveryDialog } from '../../activity/delivery-dialog.js';
import { FailureReason } from '../../activity/failure-reason.js';
import { Actor, useIsGone } from '../../components/actor.js';
import { callName } from '../../components/calls.js';
import { FieldChanges } from '../../components/field-changes.js';
import { formatRole, isEmpty } from '../../components/field-value.js';
import { StateBadge } from '../../components/state-badge.js';
import { activityCopy, restoreCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime, formatTime } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';
import type { Change } from '../data/user-queries.js';
import { type Extent, isRestorable } from '../restore/restoration.js';
import { type AccessEvent, type Message, type TimelineEntry, titleOfChange } from './timeline.js';
import css from './timeline.module.css';

// Loaded on demand, because few open it.
const RestoreDialog = lazy(async () => ({
  default: (await import('../restore/restore-dialog.js')).RestoreDialog,
}));

interface TimelineItemProps {
  readonly entry: TimelineEntry;
  /** Undefined if the user can't be changed. */
  readonly user: User | undefined;
  /** Whether the user is as this change left them. */
  readonly isCurrent: boolean;
}

export function TimelineItem({ entry, user, isCurrent }: TimelineItemProps) {
  const isRefused = entry.kind === 'access' && refusals.has(entry.event.kind);
  return (
    <li className={css.entry} data-kind={entry.kind} data-refused={isRefused || undefined}>
      <time className={css.time} dateTime={entry.at} title={formatDateTime(entry.at)}>
        {formatTime(entry.at)}
      </time>
      <div className={css.content}>
        <Text size="sm" fw={600}>
          {titleOf(entry)}
        </Text>
        <Body entry={entry} user={user} />
        {entry.kind === 'change' && user && (
          <Restore user={user} change={entry.change} isCurrent={isCurrent} />
        )}
      </div>
    </li>
  );
}

function titleOf(entry: TimelineEntry): string {
  if (entry.kind === 'change') return userPageCopy.timeline.titles[titleOfChange(entry.change)];
  if (entry.kind === 'access') return activityCopy.signIns.kind[entry.event.kind];
  return activityCopy.deliveries.kind[entry.message.kind];
}

function Body({ entry, user }: Pick<TimelineItemProps, 'entry' | 'user'>) {
  if (entry.kind === 'change') return <ChangeBody change={entry.change} />;
  if (entry.kind === 'access') return <AccessBody event={entry.event} />;
  return <MessageBody message={entry.message} user={user} />;
}

function ChangeBody({ change }: { change: Change }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {userPageCopy.timeline.by}{' '}
        <Actor actor={change.actor} fallback={activityCopy.actors.service} isInline />
        {change.callId && (
          <>
            {' · '}
            <CallLink id={change.callId} />
          </>
        )}
      </Text>
      <Fields change={change} />
    </>
  );
}

interface RestoreProps {
  readonly user: User;
  readonly change: Change;
  readonly isCurrent: boolean;
}

const restorableKinds: readonly string[] = ['created', 'updated', 'rehired'];

/** A creation can't be undone, and what is current need not be restored. */
function Restore({ user, change, isCurrent }: RestoreProps) {
  const [extent, setExtent] = useState<Extent>();
  if (!restorableKinds.includes(change.kind)) return null;
  const extents: Extent[] = [
    ...(change.kind === 'updated' && isRestorable(change) ? (['change'] as const) : []),
    ...(isCurrent ? [] : (['version'] as const)),
  ];
  return (
    <Group gap="xs" mt={4}>
      {extents.map((each) => (
        <Button key={each} size="compact-xs" variant="default" onClick={() => setExtent(each)}>
          {restoreCopy[each].action}
        </Button>
      ))}
      {extent && (
        <Suspense>
          <RestoreDialog user={user} change={change} extent={extent} onClose={() => setExtent(undefined)} />
        </Suspense>
      )}
    </Group>
  );
}

/** The title says that the status has changed. What is left to say is that the role is gone. */
function Fields({ change }: { change: Change }) {
  const title = titleOfChange(change);
  const { role } = change.fields;
  if (title !== 'deactivated' && title !== 'reactivated')
    return <FieldChanges fields={knownFields(change)} kind={change.kind} />;
  return role && <Text size="sm">{userCopy.roles.former(formatRole(role.before))}</Text>;
}

/** An erased user has no values left. */
function knownFields({ fields }: Change): Change['fields'] {
  const known = Object.entries(fields).filter(
    ([, change]) => !isEmpty(change?.before) || !isEmpty(change?.after),
  );
  return Object.fromEntries(known);
}

/** A bulk call, named by what it did and the file it came from. */
function CallLink({ id }: { id: string }) {
  const { data: call } = useQuery({
    queryKey: ['activity', 'call-name', id],
    queryFn: async ({ signal }) => (await rollcall.call('getCall', { path: { id }, signal })).body.data,
    staleTime: Number.POSITIVE_INFINITY, // what names it never changes
  });
  return (
    <Anchor component={Link} href={`/activity/calls/${id}`} inherit underline="always">
      {call ? userPageCopy.timeline.call(callName(call), call.source) : userPageCopy.timeline.someCall}
    </Anchor>
  );
}

const deliveriesCopy = activityCopy.deliveries;

/** The state of a message, and what can be done about it. */
function MessageBody({ message, user }: { message: Message; user: User | undefined }) {
  const { id, state, heldReason } = message;
  const facts = factsOf(message);
  const address = user && (user.email ?? user.phone);
  const to = newAddress(message, address);
  const isGone = useIsGone(message.userSerial);
  const [action, setAction] = useState<DeliveryAction>();
  return (
    <>
      <Group gap="xs" mt={2}>
        <StateBadge color={deliveryColors[state]}>{deliveriesCopy.state[state]}</StateBadge>
        {facts.length > 0 && (
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        )}
        {!isGone && isWorthResending(message) && (
          <Button size="compact-xs" variant="default" onClick={() => setAction({ kind: 'resend', id, to })}>
            {to ? deliveriesCopy.resendTo(to) : deliveriesCopy.resend}
          </Button>
        )}
        {state === 'held' && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setAction({ kind: 'release', which: { ids: [id] } })}
          >
            {deliveriesCopy.release}
          </Button>
        )}
      </Group>
      {heldReason !== null && <Text size="sm">{deliveriesCopy.heldReason[heldReason]}</Text>}
      <FailureReason delivery={message} address={address} size="sm" />
      {action && <DeliveryDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

/** A notice that has arrived says nothing new. */
function isWorthResending({ kind, state }: Message): boolean {
  return resendable.includes(state) && !(kind === 'account-changed' && state === 'sent');
}

function factsOf({ channel, sentAt, nextAttemptAt, attempts }: Message): string[] {
  const { sentAt: sent, attempts: tries, nextAttempt } = userPageCopy.timeline;
  return [
    channel === null ? [] : [deliveriesCopy.channel[channel]],
    sentAt === null ? [] : [sent(formatDateTime(sentAt))],
    attempts > 0 && sentAt === null ? [tries(attempts)] : [],
    nextAttemptAt === null || attempts === 0 ? [] : [nextAttempt(formatDateTime(nextAttemptAt))],
  ].flat();
}

const timelineCopy = userPageCopy.timeline;

function AccessBody({ event }: { event: AccessEvent }) {
  const { actor, address, userSerial } = event;
  const isBySomeoneElse = actor !== null && actor.id !== userSerial;
  const parts = [eventDetail(event), address && timelineCopy.address(address)].filter(Boolean);
  return (
    <Text size="sm" c="dimmed">
      {isBySomeoneElse && (
        <>
          {timelineCopy.by} <Actor actor={actor} isInline />
          {parts.length > 0 && ' · '}
        </>
      )}
      {parts.join(' · ')}
    </Text>
  );
}
