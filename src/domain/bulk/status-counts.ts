import type { StatusCounts } from '../../storage/changes/calls.js';
import type { PlannedOutcome } from './plan.js';

/** What becomes of the users, each counted once. */
export function statusCountsOf(outcomes: readonly PlannedOutcome[]): StatusCounts {
  const counts = { created: 0, reactivated: 0, deactivated: 0, removed: 0 };
  const spans = new Map<string, Span>();
  for (const outcome of outcomes) {
    if (!outcome.ok) continue;
    if (outcome.effect?.kind === 'erased') counts.removed++;
    const { serial, before, after } = outcome;
    if (before === after) continue;
    const span = spans.get(serial);
    if (span) span.after = after;
    else spans.set(serial, { before, after });
  }
  for (const span of spans.values()) {
    const kind = kindOf(span);
    if (kind) counts[kind]++;
  }
  return counts;
}

interface Side {
  readonly isActive: boolean;
}

interface Span {
  readonly before: Side | null;
  after: Side | null;
}

function kindOf({ before, after }: Span): keyof StatusCounts | undefined {
  if (after === null) return before === null ? undefined : 'removed';
  if (before === null) return 'created';
  if (before.isActive === after.isActive) return undefined;
  return after.isActive ? 'reactivated' : 'deactivated';
}
