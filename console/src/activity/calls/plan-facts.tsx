import { Actor } from '../../components/actor.js';
import { Fact } from '../../components/facts.js';
import { plannedCopy as copy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import type { Plan } from './call-waiting.js';

export function PlanFacts({ plan, isWaiting }: { plan: Plan; isWaiting: boolean }) {
  const { effectiveAt, expiresAt, cancelledAt } = plan;
  return (
    <>
      <Fact name={copy.plannedAt}>{formatDateTime(plan.plannedAt)}</Fact>
      <Fact name={copy.author}>
        <Actor actor={plan.author} />
      </Fact>
      <Fact name={copy.effectiveAt}>
        {effectiveAt === null ? copy.onceApproved : formatDateTime(effectiveAt)}
      </Fact>
      <Fact name={copy.approval}>
        <Approval plan={plan} />
      </Fact>
      <Fact name={copy.ifChanged}>{copy.ifChangedChoices[plan.ifChanged]}</Fact>
      {isWaiting && expiresAt !== null && <Fact name={copy.expiresAt}>{formatDateTime(expiresAt)}</Fact>}
      {cancelledAt !== null && (
        <Fact name={copy.cancelledBy}>
          <Actor actor={plan.cancelledBy} isInline />, {formatDateTime(cancelledAt)}
        </Fact>
      )}
    </>
  );
}

function Approval({ plan: { needsApproval, approvedAt, approvedBy } }: { plan: Plan }) {
  if (approvedAt === null) return needsApproval ? copy.approvalNeeded : copy.approvalNotNeeded;
  return (
    <>
      <Actor actor={approvedBy} isInline />, {formatDateTime(approvedAt)}
    </>
  );
}
