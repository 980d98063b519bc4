import type { BulkAction } from './actions.js';
import { findFirstRows } from './row-reader.js';
import { type Outcome, openRows, withCell, withEntries } from './rows.js';
import type { BulkState, Check, Run } from './state.js';

type ActionOf<Type extends BulkAction['type']> = Extract<BulkAction, { type: Type }>;

export function bulkReducer(state: BulkState, action: BulkAction): BulkState {
  switch (action.type) {
    case 'readingStarted':
    case 'readingProgressed':
    case 'readingCancelled':
    case 'readingFailed':
      return { ...state, reading: readingReducer(state.reading, action) };
    case 'fileLoaded': {
      const { source, rows, format, mapping } = action;
      return {
        ...state,
        ...{ source, rows, format, mapping },
        reading: { state: 'idle' },
        check: undefined,
        run: undefined,
        calls: [],
      };
    }
    case 'mappingChanged':
      return { ...state, mapping: action.mapping };
    case 'emptyCellsChanged':
      return { ...state, emptyCells: action.emptyCells };
    case 'deliverChanged':
      return { ...state, deliver: action.deliver };
    case 'checkStarted':
      return startCheck(state, action);
    case 'problemsFound':
      return addProblems(state, action);
    case 'chunksPlanned': {
      const { chunks, itemsPerCall } = action;
      return { ...withCheck(state, { chunks, queue: [...chunks.keys()] }), itemsPerCall };
    }
    case 'previewStarted':
      return withCheck(state, { state: 'previewing', error: undefined });
    case 'chunkSent':
      return sendChunk(state, action);
    case 'chunkPreviewed':
      return addPreviews(state, action);
    case 'previewStopped': {
      const { chunk, error } = action;
      const queue = [chunk, ...(state.check?.queue ?? [])];
      return withCheck(state, { queue, state: action.state, error });
    }
    case 'checkFinished':
      return withCheck(state, { state: 'checked' });
    case 'cellEdited':
      return editCell(state, action);
    case 'runPlanned':
      return planRun(state, action);
    case 'runResumed':
      return withRun(state, { state: 'running', pause: undefined });
    case 'stopRequested':
      return state.run?.state === 'running' ? withRun(state, { state: 'stopping' }) : state;
    case 'runPaused':
      return withRun(state, { state: 'paused', pause: action.pause });
    case 'callReplaced':
      return withRun(state, { pending: [action.call, ...(state.run?.pending.slice(1) ?? [])] });
    case 'callCompleted':
      return completeCall(state, action);
    case 'runEnded':
      return endRun(state);
    case 'callUndone':
      return undoCall(state, action);
  }
}

function readingReducer(
  reading: BulkState['reading'],
  action: ActionOf<'readingStarted' | 'readingProgressed' | 'readingCancelled' | 'readingFailed'>,
): BulkState['reading'] {
  switch (action.type) {
    case 'readingStarted':
      return { state: 'reading', name: action.name, rows: 0, share: undefined, cancel: action.cancel };
    case 'readingProgressed':
      return reading.state === 'reading' ? { ...reading, rows: action.rows, share: action.share } : reading;
    case 'readingCancelled':
      return { state: 'idle' };
    case 'readingFailed':
      return { state: 'failed', name: action.name, failure: action.failure };
  }
}

function withCheck(state: BulkState, changes: Partial<Check>): BulkState {
  return state.check ? { ...state, check: { ...state.check, ...changes } } : state;
}

function withRun(state: BulkState, changes: Partial<Run>): BulkState {
  return state.run ? { ...state, run: { ...state.run, ...changes } } : state;
}

function startCheck(state: BulkState, { open, check }: ActionOf<'checkStarted'>): BulkState {
  const { rows } = state;
  if (!rows) return state;
  const cleared = open.map((row) => [row, undefined] as const);
  const problems = withEntries(rows.problems, cleared);
  const previews = withEntries(rows.previews, cleared);
  return { ...state, check, rows: { ...rows, problems, previews } };
}

function addProblems(state: BulkState, { problems }: ActionOf<'problemsFound'>): BulkState {
  const { rows, check } = state;
  if (!rows || !check) return state;
  // An edit has already checked its row again.
  const current = problems.filter(([row]) => !check.edited.has(row));
  return { ...state, rows: { ...rows, problems: withEntries(rows.problems, current) } };
}

function sendChunk(state: BulkState, { chunk }: ActionOf<'chunkSent'>): BulkState {
  const { check } = state;
  if (!check) return state;
  const edited = new Set(check.edited);
  for (const row of check.chunks[chunk]?.rows ?? []) edited.delete(row);
  return withCheck(state, { edited, queue: check.queue.filter((queued) => queued !== chunk) });
}

function addPreviews(state: BulkState, action: ActionOf<'chunkPreviewed'>): BulkState {
  const { rows, check } = state;
  const chunk = check?.chunks[action.chunk];
  if (!rows || !check || !chunk) return state;
  const current = action.previews.filter(([row]) => !check.edited.has(row));
  const chunks = check.chunks.with(action.chunk, { ...chunk, safetyLimit: action.safetyLimit });
  return withCheck(
    { ...state, rows: { ...rows, previews: withEntries(rows.previews, current) } },
    { chunks },
  );
}

/** Checks the row again, and every row that shared its old or new employee ID. */
function editCell(state: BulkState, { row, column, text }: ActionOf<'cellEdited'>): BulkState {
  const { rows: before, check } = state;
  if (!before?.cells[row] || !check || before.cells[row][column] === text) return state;
  const { reader } = check;
  const rows = withCell(before, row, column, text);
  const open = openRows(rows);
  const ids = new Set([reader.idOf(before, row), reader.idOf(rows, row)]);
  const isIDChanged = ids.size > 1;
  const firstRows = isIDChanged ? findFirstRows(reader, rows, open) : check.firstRows;
  const affected = isIDChanged ? open.filter((other) => ids.has(reader.idOf(rows, other))) : [row];
  const problems = withEntries(
    rows.problems,
    affected.map((other) => [other, reader.problemsOf(rows, other, firstRows)] as const),
  );
  const chunk = check.chunks.findIndex((candidate) => candidate.rows.includes(row));
  const queue = chunk < 0 || check.queue.includes(chunk) ? check.queue : [...check.queue, chunk];
  const edited = new Set(check.edited).add(row);
  return withCheck({ ...state, rows: { ...rows, problems } }, { firstRows, queue, edited });
}

function planRun(state: BulkState, { pending }: ActionOf<'runPlanned'>): BulkState {
  const all = pending.reduce((sum, { rows }) => sum + rows.length, 0);
  return {
    ...state,
    run: {
      pending,
      all,
      succeeded: 0,
      failed: 0,
      planned: 0,
      workedMs: 0,
      state: 'paused',
      pause: undefined,
    },
  };
}

function completeCall(state: BulkState, { call, outcomes, workedMs }: ActionOf<'callCompleted'>): BulkState {
  const { rows, run } = state;
  if (!rows || !run) return state;
  return {
    ...state,
    rows: { ...rows, outcomes: withEntries(rows.outcomes, outcomes) },
    calls: [...state.calls, call],
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
function endRun(state: BulkState): BulkState {
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
function undoCall(state: BulkState, { id, undoneBy, skipped }: ActionOf<'callUndone'>): BulkState {
  const { rows, check } = state;
  const calls = state.calls.map((call) => (call.id === id ? { ...call, undoneBy } : call));
  const call = calls.find((candidate) => candidate.id === id);
  if (!rows || !check || !call) return { ...state, calls };
  const restored = call.rows.filter((row) => {
    if (rows.outcomes[row]?.kind !== 'done') return false;
    const item = check.reader.itemOf(rows, row);
    const ids = [item?.employeeID, item && 'newEmployeeID' in item ? item.newEmployeeID : undefined];
    return !ids.some((employeeID) => employeeID != null && skipped.has(employeeID));
  });
  const outcomes = withEntries<Outcome>(
    rows.outcomes,
    restored.map((row) => [row, { kind: 'undone' }] as const),
  );
  return { ...state, calls, rows: { ...rows, outcomes } };
}
