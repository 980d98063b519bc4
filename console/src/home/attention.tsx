import { Paper, Skeleton, Text, Title } from '@mantine/core';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { cssColor } from '../charts/series.js';
import type { Approvals } from '../components/calls.js';
import { type FeedHealth, feedHealth } from '../components/feeds.js';
import { feedsQuery } from '../components/feeds-query.js';
import { isAtLimit, needsPeople } from '../components/provisioning.js';
import { useApprovals } from '../components/use-approvals.js';
import { homeCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { type Scope, useCurrentUser } from '../session/session.js';
import styles from './home.module.css';

const copy = homeCopy.attention;

/** What waits for someone. What the user may not see is left out, and so is what there is none of. */
export function Attention({ isHiddenIfEmpty = false }: { isHiddenIfEmpty?: boolean }) {
  const { scopes } = useCurrentUser();
  const items = attentionItems.filter(({ scope }) => scopes.includes(scope));
  const results = useQueries({ queries: items.map(attentionQuery) });
  const approvals = useApprovals();
  const isLoading = approvals === undefined || results.some(({ isPending }) => isPending);
  const found = [
    ...(approvals ? approvalItems(approvals) : []),
    ...items.flatMap((item, index) => {
      const data = results[index]?.data;
      return data ? [{ ...item, ...data }] : [];
    }),
  ].filter(({ count }) => count > 0);
  if (isHiddenIfEmpty && found.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={copy.title}>
      <Title order={2} size="h4" mb="xs">
        {copy.title}
      </Title>
      {isLoading && <Skeleton height={36} />}
      {!isLoading && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {copy.nothing}
        </Text>
      )}
      {!isLoading &&
        found.map(({ key, label, href, count, isMore, isUrgent }) => (
          <Link key={key} href={href} className={styles.attention}>
            <span className={styles.count}>
              <span
                className={styles.mark}
                style={{ background: cssColor(isUrgent ? 'orange' : 'blue') }}
                aria-hidden
              />
              <span style={{ fontWeight: 400 }}>{label}</span>
            </span>
            <span className={styles.count}>{copy.count(count, isMore)}</span>
          </Link>
        ))}
    </Paper>
  );
}

/** More is not counted. */
const countedMax = 100;
const dayMs = 86_400_000;

interface AttentionItem {
  readonly key: string;
  readonly label: string;
  readonly href: string;
  readonly scope: Scope;
  /** Whether someone has to do something. */
  readonly isUrgent: boolean;
  readonly count: (signal: AbortSignal) => Promise<Counted>;
}

interface Counted {
  readonly count: number;
  readonly isMore: boolean;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

function counted<Item>({ items, nextCursor }: Page<Item>, isWanted: (item: Item) => boolean = () => true) {
  return { count: items.filter(isWanted).length, isMore: nextCursor !== null };
}

const plannedCalls = async (signal: AbortSignal) =>
  counted(
    (await rollcall.call('listCalls', { query: { state: 'planned', limit: countedMax }, signal })).body.data,
  );

const statusQuery = queryOptions({
  queryKey: ['attention', 'status'],
  queryFn: async ({ signal }) => (await rollcall.call('getStatus', { signal })).body.data,
  staleTime: 1_000,
});

/** The status counts them all. One request is enough for all states. */
const messages = (state: 'parked' | 'waiting' | 'held') => async () => ({
  count: (await queryClient.fetchQuery(statusQuery)).queues.messages[state],
  isMore: false,
});

const feedsThat = (needPeople: (health: FeedHealth) => boolean) => async () => ({
  count: (await queryClient.fetchQuery({ ...feedsQuery, staleTime: 1_000 })).filter((feed) =>
    needPeople(feedHealth(feed)),
  ).length,
  isMore: false,
});

/** What is worth a look besides approvals, the most urgent first. */
const attentionItems: readonly AttentionItem[] = [
  {
    key: 'feeds-waiting',
    label: copy.feedsWaiting,
    href: '/feeds',
    scope: 'users:read',
    isUrgent: true,
    count: feedsThat((health) => health === 'waiting'),
  },
  {
    key: 'feeds-failed',
    label: copy.feedsFailed,
    href: '/feeds',
    scope: 'users:read',
    isUrgent: true,
    count: feedsThat((health) => health === 'failed' || health === 'late'),
  },
  {
    key: 'providers',
    label: copy.stoppedProviders,
    href: '/settings/provisioning',
    scope: 'access:admin',
    isUrgent: true,
    count: async (signal) =>
      counted(
        (await rollcall.call('listScimProviders', { query: { limit: countedMax }, signal })).body.data,
        isAtLimit,
      ),
  },
  {
    key: 'targets',
    label: copy.failingTargets,
    href: '/settings/targets',
    scope: 'access:admin',
    isUrgent: true,
    count: async (signal) =>
      counted(
        (await rollcall.call('listScimTargets', { query: { limit: countedMax }, signal })).body.data,
        needsPeople,
      ),
  },
  {
    key: 'failed-messages',
    label: copy.failedMessages,
    href: '/activity/deliveries?state=parked',
    scope: 'access:admin',
    isUrgent: true,
    count: messages('parked'),
  },
  {
    key: 'held-messages',
    label: copy.heldMessages,
    href: '/activity/deliveries?state=held',
    scope: 'access:admin',
    isUrgent: true,
    count: messages('held'),
  },
  {
    key: 'webhooks',
    label: copy.failingWebhooks,
    href: '/settings/webhooks',
    scope: 'access:admin',
    isUrgent: true,
    count: async (signal) =>
      counted(
        (await rollcall.call('listWebhooks', { query: { limit: countedMax }, signal })).body.data,
        ({ failingSince, disabledBecause }) => failingSince !== null || disabledBecause !== null,
      ),
  },
  {
    key: 'sign-ins',
    label: copy.rejectedSignIns,
    href: '/activity/sign-ins?kind=sign-in.failed',
    scope: 'audit:read',
    isUrgent: true,
    count: async (signal) => {
      const since = new Date(Date.now() - dayMs).toISOString();
      const query = { kind: 'sign-in.failed', since, limit: countedMax } as const;
      return counted((await rollcall.call('listAccessEvents', { query, signal })).body.data);
    },
  },
  {
    key: 'managers',
    label: copy.withoutManager,
    href: '/users?status=active&managerStatus=managerInactive',
    scope: 'users:read',
    isUrgent: false,
    count: async (signal) => {
      const query = { isActive: true, managerIsActive: false, limit: countedMax };
      return counted((await rollcall.call('listUsers', { query, signal })).body.data);
    },
  },
  {
    key: 'planned',
    label: copy.planned,
    href: '/activity/calls?state=planned',
    scope: 'users:read',
    isUrgent: false,
    count: plannedCalls,
  },
  {
    key: 'waiting-messages',
    label: copy.waitingMessages,
    href: '/activity/deliveries?state=waiting',
    scope: 'access:admin',
    isUrgent: false,
    count: messages('waiting'),
  },
];

const approvalsPath = '/activity/calls?state=awaitingApproval';

/** Calls that await approval: those that the user can approve, and those that someone else has to. */
function approvalItems({ toDecide, ofOthers, isMore }: Approvals) {
  const own = { key: 'approvals', label: copy.approvals, count: toDecide, isUrgent: true };
  const others = { key: 'others-approvals', label: copy.othersApprovals, count: ofOthers, isUrgent: false };
  return [own, others].map((item) => ({ ...item, href: approvalsPath, isMore }));
}

const refetchMs = 60_000;

function attentionQuery({ key, count }: AttentionItem) {
  return queryOptions({
    queryKey: ['attention', key],
    queryFn: ({ signal }) => count(signal),
    refetchInterval: refetchMs,
  });
}
