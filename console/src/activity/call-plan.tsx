import { Button, Group, Text, TextInput } from '@mantine/core';
import { limits, type Schemas } from '@rollcall/client';
import { importNoteText } from '@rollcall/sheets';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Actor } from '../components/actor.js';
import { isAuthorOf, lastDayText } from '../components/calls.js';
import { ConfirmDialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { callLabelCopy, plannedCopy as copy } from '../copy/copy.js';
import { formatDateTime, formatStart } from '../copy/format.js';
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
  const [reason, setReason] = useState('');
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
          action={() => decide(call.id, open, reason)}
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
          {open === 'reject' && (
            <TextInput
              label={copy.reject.reason}
              description={copy.reject.reasonHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={limits.labelMaxLength}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              mt="sm"
              data-autofocus
            />
          )}
        </ConfirmDialog>
      )}
    </Group>
  );
}

async function decide(id: string, decision: Decision, typed: string): Promise<void> {
  const reason = decision === 'reject' ? typed.trim() : '';
  await rollcall.call(operations[decision], { path: { id }, ...(reason !== '' && { query: { reason } }) });
  notify(copy[decision].done);
  await queryClient.invalidateQueries();
}

function explanation({ plan }: Call, decision: Decision): ReactNode {
  if (decision === 'cancel' || decision === 'reject') return copy[decision].hint;
  if (decision === 'takeOver')
    return `${copy.takeOver.hint}${plan?.needsApproval ? ` ${copy.takeOver.approval}` : ''}`;
  return (
    <>
      <div>{whenText(plan)}</div>
      {plan?.author.kind === 'person' && plan.effectiveAt !== null && <div>{copy.approve.next}</div>}
    </>
  );
}

function whenText(plan: Plan | null): string {
  if (plan && plan.lastWorkingDay !== null) return lastDayText(plan.lastWorkingDay);
  const effectiveAt = plan?.effectiveAt ?? null;
  return effectiveAt === null ? copy.approve.now : copy.approve.later(formatStart(effectiveAt));
}

/** What a planned call waits for, or why it did not run. */
export function PlanNotice({ call }: { call: Call }) {
  const isAuthor = useIsAuthor(call);
  const mayWrite = usePermission('users:write');
  const summary = usePlanSummary(call, isWaiting(call));
  if (!call.plan) return null;
  if (call.plan.isRejected) return <Rejected call={call} plan={call.plan} />;
  if (call.state === 'cancelled') return <Notice color="blue">{copy.wasCancelled}</Notice>;
  if (call.state === 'expired') return <Notice color="red">{copy.hasExpired}</Notice>;
  if (call.state === 'done' && call.plan.approvedBy) return <Approved plan={call.plan} />;
  if (!isWaiting(call)) return null;
  const needsOther = call.state === 'awaitingApproval' && isAuthor && mayWrite;
  return (
    <Notice color={call.plan.needsTakeover || call.state === 'awaitingApproval' ? 'yellow' : 'blue'}>
      {call.state === 'awaitingApproval' && !isAuthor && (
        <Text size="sm">
          <Asker actor={call.plan.author} />
        </Text>
      )}
      {summary.map((sentence) => (
        <Text key={sentence} fw={600}>
          {sentence}
        </Text>
      ))}
      {call.note !== null && (
        <Text size="sm">{copy.noted(importNoteText(call.note, callLabelCopy.leftOut))}</Text>
      )}
      <Text size="sm">{waitingText(call, call.plan)}</Text>
      {call.state === 'awaitingApproval' && <Undecided plan={call.plan} />}
      {call.plan.needsTakeover && <Text size="sm">{copy.takeoverNeeded}</Text>}
      {needsOther && <Text size="sm">{copy.ownCall}</Text>}
    </Notice>
  );
}

/** In a sentence. */
function Asker({ actor }: { actor: Plan['author'] }) {
  return (
    <>
      <Actor actor={actor} isInline />
      {copy.asked}
    </>
  );
}

/** What happens if it is approved late, or not at all. */
function Undecided({ plan: { effectiveAt, expiresAt } }: { plan: Plan }) {
  return (
    <Text size="sm">
      {effectiveAt !== null && `${copy.late(formatStart(effectiveAt))} `}
      {expiresAt !== null && copy.undecided(formatDateTime(expiresAt))}
    </Text>
  );
}

/** Who rejected it, why, and what it would have done. */
function Rejected({ call, plan }: { call: Call; plan: Plan }) {
  const summary = usePlanSummary(call, true);
  return (
    <Notice color="red">
      <Text fw={600}>
        {copy.rejectedBy} <Actor actor={plan.cancelledBy} isInline />
        {plan.cancelledAt !== null && `, ${formatDateTime(plan.cancelledAt)}`}
      </Text>
      {plan.cancelReason !== null && <Text size="sm">{copy.reason(plan.cancelReason)}</Text>}
      {summary.length > 0 && (
        <Text size="sm">
          {copy.wouldHave} {summary.join(' ')}
        </Text>
      )}
      <Text size="sm">{copy.wasRejected}</Text>
    </Notice>
  );
}

function Approved({ plan }: { plan: Plan }) {
  return (
    <Notice color="blue">
      {copy.approvedBy} <Actor actor={plan.approvedBy} isInline />
      {plan.approvedAt !== null && `, ${formatDateTime(plan.approvedAt)}`}
    </Notice>
  );
}

function waitingText(call: Call, { effectiveAt, lastWorkingDay }: Plan): string {
  if (isDue(call)) return copy.isDue;
  if (lastWorkingDay !== null) return `${lastDayText(lastWorkingDay)} ${copy.nothingYet}`;
  const time = effectiveAt === null ? undefined : formatStart(effectiveAt);
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
