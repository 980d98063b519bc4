import { queryOptions } from '@tanstack/react-query';
import type { Approvals } from '../components/approvals.js';
import { homeCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import type { Scope } from '../session/session.js';

const copy = homeCopy.attention;

/** More is not counted. */
const countedMax = 100;
const dayMs = 86_400_000;

export interface AttentionItem {
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

/** What is worth a look besides approvals, the most urgent first. */
export const attentionItems: readonly AttentionItem[] = [
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
export function approvalItems({ toDecide, ofOthers, isMore }: Approvals) {
  const own = { key: 'approvals', label: copy.approvals, count: toDecide, isUrgent: true };
  const others = { key: 'others-approvals', label: copy.othersApprovals, count: ofOthers, isUrgent: false };
  return [own, others].map((item) => ({ ...item, href: approvalsPath, isMore }));
}

const refetchMs = 60_000;

export function attentionQuery({ key, count }: AttentionItem) {
  return queryOptions({
    queryKey: ['attention', key],
    queryFn: ({ signal }) => count(signal),
    refetchInterval: refetchMs,
  });
}
