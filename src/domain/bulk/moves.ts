import type { Moves } from '../../storage/changes/calls.js';
import type { PlannedOutcome } from './plan.js';

/** What becomes of the users, each counted once. */
export function movesOf(outcomes: readonly PlannedOutcome[]): Moves {
  const moves = { joined: 0, moved: 0, departed: 0, removed: 0 };
  const spans = new Map<string, Span>();
  for (const outcome of outcomes) {
    if (!outcome.ok) continue;
    if (outcome.effect?.kind === 'erased') moves.removed++;
    const { serial, before, after } = outcome;
    if (before === after) continue;
    const span = spans.get(serial);
    if (span) span.after = after;
    else spans.set(serial, { before, after });
  }
  for (const span of spans.values()) {
    const kind = moveOf(span);
    if (kind) moves[kind]++;
  }
  return moves;
}

interface Side {
  readonly isActive: boolean;
  readonly organizationSerial: string | null;
}

interface Span {
  readonly before: Side | null;
  after: Side | null;
}

/** Whoever joins or leaves isn't said to move as well. */
function moveOf({ before, after }: Span): keyof Moves | undefined {
  if (after === null) return before === null ? undefined : 'removed';
  if (before === null) return 'joined';
  if (before.isActive !== after.isActive) return after.isActive ? 'joined' : 'departed';
  return before.organizationSerial === after.organizationSerial ? undefined : 'moved';
}
