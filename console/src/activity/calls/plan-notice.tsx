import { Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { plannedCopy as copy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { usePermission } from '../../session/session.js';
import { type Call, isDue, isWaiting, type Plan } from './call-waiting.js';
import { useIsAuthor } from './use-is-author.js';
import { usePlanSummary } from './use-plan-summary.js';

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
