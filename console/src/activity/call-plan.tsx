import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isAuthorOf } from '../components/calls.js';
import { ConfirmDialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { plannedCopy as copy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { queryClient, rollcall } from '../session/api.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { type Call, isDue, isWaiting, type Plan, planSummary } from './call.js';
import { CallScopeSummary } from './call-scope.js';

type Decision = 'approve' | 'reject' | 'takeOver' | 'cancel';

const operations = {
  approve: 'approveCall',
  reject: 'cancelCall',
  takeOver: 'takeOverCall',
  cancel: 'cancelCall',
} as const;

/** What can be done with a planned call before it runs. */
export function CallDecisions({ call }: { call: Call }) {
  const isAuthor = useIsAuthor(call);
  const decidesForOther = call.state === 'awaitingApproval' && !isAuthor;
  const decisions: readonly Decision[] = [
    ...(decidesForOther ? (['approve', 'reject'] as const) : []),
    ...(call.plan?.needsTakeover && !isAuthor ? (['takeOver'] as const) : []),
    ...(decidesForOther ? [] : (['cancel'] as const)),
  ];
  return <Decisions call={call} decisions={decisions} />;
}

/** Rarely wanted unless the call needs it. */
export function TakeOver({ call }: { call: Call }) {
  const isAuthor = useIsAuthor(call);
  return isAuthor || call.plan?.needsTakeover ? null : <Decisions call={call} decisions={['takeOver']} />;
}

function Decisions({ call, decisions }: { call: Call; decisions: readonly Decision[] }) {
  const [open, setOpen] = useState<Decision>();
  const mayWrite = usePermission('users:write');
  const summary = usePlanSummary(call, isWaiting(call) && open === 'approve');
  if (!mayWrite || !isWaiting(call)) return null;
  return (
    <Group gap="xs">
      {decisions.map((decision) => (
        <Button
          key={decision}
          variant={decision === 'approve' ? 'filled' : 'default'}
          onClick={() => setOpen(decision)}
        >
          {copy[decision].open}
        </Button>
      ))}
      {open && (
        <ConfirmDialog
          title={copy[open].title}
          confirm={copy[open].confirm}
          isDangerous={open === 'cancel' || open === 'reject'}
          {...(open === 'cancel' && { keep: copy.cancel.keep })}
          failed={copy[open].failed}
          action={() => decide(call.id, open)}
          onClose={() => setOpen(undefined)}
        >
          {open === 'approve' &&
            (summary.length > 0 ? summary : [copy.approve.upTo(call.items)]).map((sentence) => (
              <Text key={sentence} fw={600}>
                {sentence}
              </Text>
            ))}
          {open === 'approve' && <CallScopeSummary call={call} />}
          {explanation(call, open)}
        </ConfirmDialog>
      )}
    </Group>
  );
}

async function decide(id: string, decision: Decision): Promise<void> {
  await rollcall.call(operations[decision], { path: { id } });
  notify(copy[decision].done);
  await queryClient.invalidateQueries();
}

function explanation({ plan }: Call, decision: Decision): ReactNode {
  if (decision === 'cancel' || decision === 'reject') return copy[decision].hint;
  if (decision === 'takeOver')
    return `${copy.takeOver.hint}${plan?.needsApproval ? ` ${copy.takeOver.approval}` : ''}`;
  const effectiveAt = plan?.effectiveAt ?? null;
  return effectiveAt === null ? copy.approve.now : copy.approve.later(formatDateTime(effectiveAt));
}

/** What a planned call waits for, or why it did not run. */
export function PlanNotice({ call }: { call: Call }) {
  const isAuthor = useIsAuthor(call);
  const mayWrite = usePermission('users:write');
  const summary = usePlanSummary(call, isWaiting(call));
  if (!call.plan) return null;
  if (call.state === 'cancelled') return <Notice color="blue">{copy.wasCancelled}</Notice>;
  if (call.state === 'expired') return <Notice color="red">{copy.hasExpired}</Notice>;
  if (!isWaiting(call)) return null;
  const needsOther = call.state === 'awaitingApproval' && isAuthor && mayWrite;
  return (
    <Notice color={call.plan.needsTakeover || call.state === 'awaitingApproval' ? 'yellow' : 'blue'}>
      {summary.map((sentence) => (
        <Text key={sentence} fw={600}>
          {sentence}
        </Text>
      ))}
      {call.note !== null && <Text size="sm">{copy.noted(call.note)}</Text>}
      <Text size="sm">{waitingText(call, call.plan)}</Text>
      {call.plan.needsTakeover && <Text size="sm">{copy.takeoverNeeded}</Text>}
      {needsOther && <Text size="sm">{copy.ownCall}</Text>}
    </Notice>
  );
}

function waitingText(call: Call, { effectiveAt }: Plan): string {
  if (isDue(call)) return copy.isDue;
  const time = effectiveAt === null ? undefined : formatDateTime(effectiveAt);
  if (call.state === 'planned') return time === undefined ? copy.isDue : copy.isPlanned(time);
  return time === undefined ? copy.awaitsApproval : copy.awaitsApprovalUntil(time);
}

const pageLimit = 200;
/** Reading more would take too long. */
const itemsMax = 4_000;

/** What a planned call does; empty if that is unknown. */
function usePlanSummary({ id, items }: Call, isWanted: boolean): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['activity', 'plan-summary', id],
    queryFn: async ({ signal }) => {
      const all: Schemas['CallItem'][] = [];
      const pages = rollcall.pages('listCallItems', { path: { id }, query: { limit: pageLimit }, signal });
      for await (const page of pages) all.push(...page.items);
      return planSummary(all);
    },
    enabled: isWanted && items <= itemsMax,
  });
  return data;
}

function useIsAuthor(call: Call): boolean {
  return isAuthorOf(call, useCurrentUser().serial);
}
