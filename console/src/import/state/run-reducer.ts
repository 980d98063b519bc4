import type { ImportAction } from './actions.js';
import { type Outcome, withEntries } from './rows.js';
import type { ImportState, Run } from './state.js';

type ActionOf<Type extends ImportAction['type']> = Extract<ImportAction, { type: Type }>;

export function withRun(state: ImportState, changes: Partial<Run>): ImportState {
  return state.run ? { ...state, run: { ...state.run, ...changes } } : state;
}

export function planRun(
  state: ImportState,
  { pending, leftOut, users, importId }: ActionOf<'runPlanned'>,
): ImportState {
  const all = pending.reduce((sum, { rows }) => sum + rows.length, 0);
  const none = { succeeded: 0, failed: 0, planned: 0, workedMs: 0 };
  return {
    ...state,
    restored: undefined,
    importId,
    run: { pending, all, leftOut, users, ...none, state: 'paused', pause: undefined },
  };
}

export function completeCall(
  state: ImportState,
  { call, outcomes, workedMs }: ActionOf<'callCompleted'>,
): ImportState {
  const { rows, run } = state;
  if (!rows || !run) return state;
  const sent = new Set(call.rows);
  return {
    ...state,
    rows: { ...rows, outcomes: withEntries(rows.outcomes, outcomes) },
    calls: [...state.calls, call],
    unsentEdits: new Set([...state.unsentEdits].filter((row) => !sent.has(row))),
    run: {
      ...run,
      pending: run.pending.slice(1),
      succeeded: run.succeeded + call.succeeded,
      failed: run.failed + call.failed,
      planned: run.planned + call.planned,
      workedMs: run.workedMs + workedMs,
    },
  };
}

/** Rows that were not sent stay open. Those without a response may or may not be done. */
export function endRun(state: ImportState): ImportState {
  const { rows, run } = state;
  if (!rows || !run) return state;
  const unanswered = isOutcomeUnknown(run) ? (run.pending[0]?.rows ?? []) : [];
  const outcomes = withEntries<Outcome>(
    rows.outcomes,
    unanswered.map((row) => [row, { kind: 'unknown' }] as const),
  );
  return withRun({ ...state, rows: { ...rows, outcomes } }, { state: 'ended', pause: undefined });
}

function isOutcomeUnknown({ pause }: Run): boolean {
  if (pause?.why === 'interrupted') return true;
  return pause?.why === 'failed' && (pause.error as { outcomeUnknown?: boolean }).outcomeUnknown === true;
}

/** Restored rows are open again. */
export function undoCall(state: ImportState, { id, undoneBy, skipped }: ActionOf<'callUndone'>): ImportState {
  const { rows, check } = state;
  const calls = state.calls.map((call) => (call.id === id ? { ...call, undoneBy } : call));
  const call = calls.find((candidate) => candidate.id === id);
  if (!rows || !check || !call) return { ...state, calls };
  const restored = call.rows.filter((row) => {
    if (rows.outcomes[row]?.kind !== 'done') return false;
    if (skipped.size === 0) return true; // reading thousands of items takes a while
    const item = check.reader.itemOf(rows, row);
    return ![item?.employeeID, item?.newEmployeeID].some((id) => id != null && skipped.has(id));
  });
  const outcomes = withEntries<Outcome>(
    rows.outcomes,
    restored.map((row) => [row, { kind: 'undone' }] as const),
  );
  return { ...state, calls, rows: { ...rows, outcomes } };
}
