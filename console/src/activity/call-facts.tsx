import { Alert, Anchor } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { importNoteText } from '@rollcall/sheets';
import { Link } from 'wouter';
import { Actor } from '../components/actor.js';
import { CallStateBadge } from '../components/call-state.js';
import { dayAfter } from '../components/day-range.js';
import { Advanced } from '../components/disclosure.js';
import { Fact, Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { Section } from '../components/section.js';
import { activityCopy, callLabelCopy, plannedCopy } from '../copy/copy.js';
import { formatDateTime, formatDay, formatNumber, formatStart } from '../copy/format.js';
import { usePermission } from '../session/session.js';
import { hasRun, isWaiting, type Plan } from './call.js';
import { TakeOver } from './call-plan.js';

const copy = activityCopy.call;
const names = activityCopy.calls;

export function CallFacts({ call }: { call: Schemas['Call'] }) {
  const maySeeMessages = usePermission('access:admin');
  const messages = new URLSearchParams({ requestId: call.requestId, state: 'all' });
  return (
    <Section title={copy.factsTitle} hidesTitle>
      <Facts>
        <Fact name={names.stateColumn}>
          <CallStateBadge state={call.state} isRejected={call.plan?.isRejected} />
        </Fact>
        {call.plan ? (
          <PlanFacts plan={call.plan} isWaiting={isWaiting(call)} />
        ) : (
          <Fact name={names.who}>
            <Actor actor={call.actor} />
          </Fact>
        )}
        {hasRun(call) && (
          <>
            <Fact name={names.started}>{formatDateTime(call.startedAt)}</Fact>
            <Fact name={names.finished}>
              {call.finishedAt === null ? copy.notYet : formatDateTime(call.finishedAt)}
            </Fact>
          </>
        )}
        {(hasRun(call) || call.source !== null) && <Fact name={names.items}>{formatNumber(call.items)}</Fact>}
        {call.source !== null && <Fact name={callLabelCopy.source}>{call.source}</Fact>}
        {call.note !== null && (
          <Fact name={callLabelCopy.note}>{importNoteText(call.note, callLabelCopy.leftOut)}</Fact>
        )}
      </Facts>
      {maySeeMessages && (call.kind === 'create-bulk' || call.kind === 'upsert-bulk') && (
        <Anchor
          component={Link}
          href={`/activity/deliveries?${messages}`}
          size="sm"
          mt="sm"
          display="inline-block"
        >
          {copy.messages}
        </Anchor>
      )}
      <Advanced>
        <Facts>
          {call.plan && (
            <Fact name={plannedCopy.ifChanged}>{plannedCopy.ifChangedChoices[call.plan.ifChanged]}</Fact>
          )}
          <Fact name={copy.callId}>{call.id}</Fact>
          <Fact name={copy.requestId}>{call.requestId}</Fact>
        </Facts>
        <TakeOver call={call} />
      </Advanced>
    </Section>
  );
}

function PlanFacts({ plan, isWaiting }: { plan: Plan; isWaiting: boolean }) {
  const { effectiveAt, lastWorkingDay, expiresAt, cancelledAt, approvedAt, needsApproval } = plan;
  return (
    <>
      <Fact name={plannedCopy.plannedAt}>{formatDateTime(plan.plannedAt)}</Fact>
      <Fact name={plannedCopy.author}>
        <Actor actor={plan.author} />
      </Fact>
      {lastWorkingDay === null ? (
        <Fact name={plannedCopy.effectiveAt}>
          {effectiveAt === null ? plannedCopy.onceApproved : formatStart(effectiveAt)}
        </Fact>
      ) : (
        <>
          <Fact name={plannedCopy.lastWorkingDay}>{formatDay(lastWorkingDay)}</Fact>
          <Fact name={plannedCopy.inactiveFrom}>{formatDay(dayAfter(lastWorkingDay))}</Fact>
        </>
      )}
      {(isWaiting || approvedAt !== null || !needsApproval) && (
        <Fact name={plannedCopy.approval}>
          <Approval plan={plan} />
        </Fact>
      )}
      {isWaiting && approvedAt === null && needsApproval && expiresAt !== null && (
        <Fact name={plannedCopy.expiresAt}>{formatDateTime(expiresAt)}</Fact>
      )}
      {cancelledAt !== null && (
        <Fact name={plan.isRejected ? plannedCopy.rejectedBy : plannedCopy.cancelledBy}>
          <Actor actor={plan.cancelledBy} isInline />, {formatDateTime(cancelledAt)}
        </Fact>
      )}
    </>
  );
}

function Approval({ plan: { needsApproval, approvedAt, approvedBy } }: { plan: Plan }) {
  if (approvedAt === null) return needsApproval ? plannedCopy.approvalNeeded : plannedCopy.approvalNotNeeded;
  return (
    <>
      <Actor actor={approvedBy} isInline />, {formatDateTime(approvedAt)}
    </>
  );
}

export function CallRelations({ call: { state, undoes, undoneBy } }: { call: Schemas['Call'] }) {
  return (
    <>
      {state === 'interrupted' && <Notice color="yellow">{activityCopy.calls.stateHint}</Notice>}
      {undoneBy !== null && <Relation says={copy.undoneAlert} link={copy.undoneLink} id={undoneBy} />}
      {undoes !== null && <Relation says={copy.undoesAlert} link={copy.undoesLink} id={undoes} />}
    </>
  );
}

function Relation({ says, link, id }: { says: string; link: string; id: string }) {
  return (
    <Alert color="blue" variant="outline">
      {says}{' '}
      <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" underline="always">
        {link}
      </Anchor>
    </Alert>
  );
}
