import { Button, Paper, Skeleton, Text, Title } from '@mantine/core';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { cssColor } from '../charts/series.js';
import { type Approvals, callName } from '../components/calls.js';
import { type Feed, type FeedHealth, feedHealth } from '../components/feeds.js';
import { feedsQuery } from '../components/feeds-query.js';
import { focusPage } from '../components/focus-page.js';
import { isAtLimit, needsPeople } from '../components/provisioning.js';
import { useApprovals } from '../components/use-approvals.js';
import { useStored } from '../components/use-stored.js';
import { homeCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import type { Scope } from '../session/scopes.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { failedSyncs } from './failed-rows.js';
import styles from './home.module.css';

const copy = homeCopy.attention;

/** What someone has to do, and below it what is under way by itself. What the user may not see is left out. */
export function Attention({ isHiddenIfEmpty = false }: { isHiddenIfEmpty?: boolean }) {
  const { scopes } = useCurrentUser();
  const items = attentionItems.filter(({ scope }) => scopes.includes(scope));
  const results = useQueries({ queries: items.map(attentionQuery) });
  const approvals = useApprovals();
  const failed = useFailedSyncs();
  const isLoading = approvals === undefined || results.some(({ isPending }) => isPending);
  const found: Line[] = [
    ...(approvals ? approvalItems(approvals) : []),
    ...items.flatMap((item, index) => {
      const data = results[index]?.data;
      return data ? [{ ...item, ...data }] : [];
    }),
    ...failed,
  ].filter(({ count }) => count > 0);
  const todo = found.filter(({ isUnderWay }) => !isUnderWay);
  const underWay = found.filter(({ isUnderWay }) => isUnderWay);
  if (isHiddenIfEmpty && found.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={copy.title}>
      <Title order={2} size="h4" mb="xs">
        {copy.title}
      </Title>
      {isLoading && <Skeleton height={36} />}
      {!isLoading && todo.length === 0 && (
        <Text size="sm" c="dimmed">
          {copy.nothing}
        </Text>
      )}
      {!isLoading && <Lines lines={todo} />}
      {!isLoading && underWay.length > 0 && (
        <>
          <Title order={3} size="h5" mt="md" mb={4}>
            {copy.underWay}
          </Title>
          <Lines lines={underWay} />
        </>
      )}
    </Paper>
  );
}

interface Line extends Counted {
  readonly key: string;
  readonly label: string;
  readonly href: string;
  /** Goes on by itself, or is up to someone else. */
  readonly isUnderWay?: boolean;
  /** For what doesn't go by itself once it is mended. */
  readonly onDismiss?: () => void;
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return lines.map(({ key, label, href, count, isMore, isUnderWay, onDismiss }) => (
    <div key={key} className={styles.line}>
      <Link href={href} className={styles.attention}>
        <span className={styles.count}>
          <span
            className={styles.mark}
            style={{ background: cssColor(isUnderWay ? 'blue' : 'orange') }}
            aria-hidden
          />
          <span style={{ fontWeight: 400, overflowWrap: 'anywhere' }}>{label}</span>
        </span>
        <span className={styles.count}>{copy.count(count, isMore)}</span>
      </Link>
      {onDismiss && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={copy.dismissLine(label)}
          onClick={() => {
            onDismiss();
            focusPage(); // the button is gone
          }}
        >
          {copy.dismiss}
        </Button>
      )}
    </div>
  ));
}

/** More is not counted. */
const countedMax = 100;
const dayMs = 86_400_000;

/** What is not listed here in words of its own. The checklist asks for the first backup. */
const systemKinds: readonly string[] = [
  ...['nodeSilent', 'versionsDiffer', 'migrationsPending', 'indexingBehind'],
  ...['messagesDelayed', 'callsDelayed', 'feedsDelayed', 'backupOld'],
];
const isAboutSystem = (kind: string) => systemKinds.includes(kind);

interface AttentionItem {
  readonly key: string;
  readonly label: string;
  readonly href: string;
  readonly scope: Scope;
  readonly isUnderWay?: boolean;
  readonly count: (signal: AbortSignal) => Promise<Counted>;
}

interface Counted {
  /** If it leads to a single one. */
  readonly href?: string;
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

export const statusQuery = queryOptions({
  queryKey: ['attention', 'status'],
  queryFn: async ({ signal }) => (await rollcall.call('getStatus', { signal })).body.data,
  staleTime: 1_000,
});

/** The status counts them all. One request is enough for all states. */
const messages = (state: 'parked' | 'waiting' | 'held') => async () => ({
  count: (await queryClient.fetchQuery(statusQuery)).queues.messages[state],
  isMore: false,
});

/** A single feed is opened right away. */
const feedsThat =
  (needPeople: (health: FeedHealth, feed: Feed) => boolean, runOf?: (feed: Feed) => string) => async () => {
    const feeds = await queryClient.fetchQuery({ ...feedsQuery, staleTime: 1_000 });
    const found = feeds.filter((feed) => needPeople(feedHealth(feed), feed));
    const [only] = found;
    const href = found.length === 1 && only ? `/feeds/${only.key}${runOf?.(only) ?? ''}` : undefined;
    return { count: found.length, isMore: false, ...(href === undefined ? {} : { href }) };
  };

/** Of the last run, unless it was undone. */
function failedRowsOf({ lastRun }: Feed): number {
  return lastRun?.state === 'done' && lastRun.undoneBy === null ? lastRun.counts.failed : 0;
}

/** What is worth a look besides approvals, the most urgent first. */
const attentionItems: readonly AttentionItem[] = [
  {
    key: 'feeds-waiting',
    label: copy.feedsWaiting,
    href: '/feeds',
    scope: 'users:read',
    count: feedsThat((health) => health === 'waiting'),
  },
  {
    key: 'feeds-failed',
    label: copy.feedsFailed,
    href: '/feeds',
    scope: 'users:read',
    count: feedsThat((health) => health === 'failed' || health === 'late'),
  },
  {
    key: 'feeds-rows',
    label: copy.feedsRows,
    href: '/feeds',
    scope: 'users:read',
    count: feedsThat(
      (_health, feed) => failedRowsOf(feed) > 0,
      ({ lastRun }) => `/runs/${lastRun?.id}?kind=failed`,
    ),
  },
  {
    key: 'providers',
    label: copy.stoppedProviders,
    href: '/settings/provisioning',
    scope: 'access:admin',
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
    count: messages('parked'),
  },
  {
    key: 'held-messages',
    label: copy.heldMessages,
    href: '/activity/deliveries?state=held',
    scope: 'access:admin',
    count: messages('held'),
  },
  {
    key: 'webhooks',
    label: copy.failingWebhooks,
    href: '/settings/webhooks',
    scope: 'access:admin',
    count: async (signal) =>
      counted(
        (await rollcall.call('listWebhooks', { query: { limit: countedMax }, signal })).body.data,
        ({ failingSince, disabledBecause }) => failingSince !== null || disabledBecause !== null,
      ),
  },
  {
    key: 'system',
    label: copy.system,
    href: '/system/status',
    scope: 'access:admin',
    count: async () => {
      const { attention } = await queryClient.fetchQuery(statusQuery);
      return { count: attention.filter(({ kind }) => isAboutSystem(kind)).length, isMore: false };
    },
  },
  {
    key: 'managers',
    label: copy.withoutManager,
    href: '/users?status=active&managerStatus=managerInactive',
    scope: 'users:read',
    count: async (signal) => {
      const query = { isActive: true, managerIsActive: false, total: 'approximate', limit: 1 } as const;
      const { items, total } = (await rollcall.call('listUsers', { query, signal })).body.data;
      return { count: total?.count ?? items.length, isMore: false };
    },
  },
  {
    key: 'planned',
    label: copy.planned,
    href: '/activity/calls?state=planned',
    scope: 'users:read',
    isUnderWay: true,
    count: plannedCalls,
  },
  {
    key: 'waiting-messages',
    label: copy.waitingMessages,
    href: '/activity/deliveries?state=waiting',
    scope: 'access:admin',
    isUnderWay: true,
    count: messages('waiting'),
  },
];

/** Calls that await approval: those that the user can approve, and those that someone else has to. */
function approvalItems({ toDecide, ofOthers, isMore }: Approvals): Line[] {
  const own = { key: 'approvals', label: copy.approvals, ids: toDecide };
  const others = { key: 'others-approvals', label: copy.othersApprovals, ids: ofOthers, isUnderWay: true };
  return [own, others].map(({ ids: [first, ...more], ...item }) => ({
    ...item,
    count: first === undefined ? 0 : 1 + more.length,
    isMore,
    href: `/activity/calls${first !== undefined && more.length === 0 ? `/${first}` : '?state=awaitingApproval'}`,
  }));
}

const refetchMs = 60_000;

function attentionQuery({ key, count }: AttentionItem) {
  return queryOptions({
    queryKey: ['attention', key],
    queryFn: ({ signal }) => count(signal),
    refetchInterval: refetchMs,
  });
}

/** More are forgotten. */
const seenMax = 100;

/** Rows that a program sent and that failed, until it sends them again or someone has dealt with them. */
function useFailedSyncs(): Line[] {
  const maySee = usePermission('users:read');
  const [stored, store] = useStored('failed-rows-done');
  const seen = stored?.split(' ') ?? [];
  const { data } = useQuery({
    queryKey: ['attention', 'failed-rows'],
    queryFn: async ({ signal }) => {
      const query = { since: new Date(Date.now() - dayMs).toISOString(), limit: countedMax };
      return (await rollcall.call('listCalls', { query, signal })).body.data.items;
    },
    enabled: maySee,
    refetchInterval: refetchMs,
  });
  return failedSyncs(data ?? [], seen).map(({ call, failed }) => ({
    key: call.id,
    label: copy.failedRows(call.source ?? callName(call)),
    href: `/activity/calls/${call.id}`,
    count: failed,
    isMore: false,
    onDismiss: () => store([call.id, ...seen].slice(0, seenMax).join(' ')),
  }));
}
