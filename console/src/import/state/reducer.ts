import { attributeField } from '@rollcall/sheets';
import type { ImportAction } from './actions.js';
import {
  addFindings,
  addMissing,
  addPreviews,
  addProblems,
  editCells,
  keepMissingUser,
  learn,
  learnNames,
  leaveOutRow,
  sendChunk,
  startCheck,
  undoEdit,
  withCheck,
} from './check-reducer.js';
import { withFix } from './fixes.js';
import { withField } from './mapping.js';
import { noNames, withDecision, withProposals, withProposalsAccepted } from './names.js';
import { withAllEntries, withCells } from './rows.js';
import { completeCall, endRun, planRun, undoCall, withRun } from './run-reducer.js';
import { type ImportState, initialState } from './state.js';

export function importReducer(state: ImportState, action: ImportAction): ImportState {
  switch (action.type) {
    case 'readingStarted':
    case 'readingProgressed':
    case 'readingCancelled':
    case 'readingFailed':
      return { ...state, reading: readingReducer(state.reading, action) };
    case 'fileLoaded':
      return loadFile(state, action);
    case 'importRestored':
      return restore(state, action);
    case 'mappingChanged':
      return { ...state, mapping: action.mapping };
    case 'attributeDefined':
      return {
        ...state,
        attributes: [...state.attributes, action.attribute],
        mapping: withField(state.mapping, action.column, attributeField(action.attribute.key)),
      };
    case 'emptyCellsChanged':
      return { ...state, emptyCells: action.emptyCells };
    case 'missingChanged':
      return { ...state, missing: { ...state.missing, ...action.missing } };
    case 'deliverChanged':
      return { ...state, deliver: action.deliver };
    case 'timingChanged':
      return { ...state, timing: action.timing };
    case 'noteChanged':
      return { ...state, note: action.note };
    case 'namesLearned':
      return learnNames(state, action);
    case 'namesProposed':
      return { ...state, names: withProposals(state.names) };
    case 'proposalsAccepted':
      return { ...state, names: withProposalsAccepted(state.names) };
    case 'namesDecided':
      return { ...state, names: withDecision(state.names, action.groups, action.decision) };
    case 'checkStarted':
      return startCheck(state, action);
    case 'problemsFound':
      return addProblems(state, action);
    case 'rowsRead':
      return withCheck(state, { isRead: true, survey: action.survey });
    case 'usersListed':
      return addMissing(state, action);
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
    case 'chunkQueued':
      return withCheck(state, { queue: [action.chunk, ...(state.check?.queue ?? [])] });
    case 'checkStopped':
      return withCheck(state, { state: action.state, error: action.error });
    case 'checkFinished':
      return withCheck(state, { state: 'checked' });
    case 'fixFound':
      return withCheck(state, { fixes: withFix(state.check?.fixes ?? [], action.fix) });
    case 'fixDismissed':
      return withCheck(state, { fixes: state.check?.fixes.slice(1) ?? [] });
    case 'findingsFound':
      return addFindings(state, action);
    case 'learned':
      return learn(state, action);
    case 'cellsEdited':
      return editCells(state, action);
    case 'editUndone':
      return undoEdit(state);
    case 'missingUserKept':
      return keepMissingUser(state, action);
    case 'rowLeftOut':
      return leaveOutRow(state, action);
    case 'rowsTakenBack':
      return state.rows ? { ...state, rows: { ...state.rows, leftOut: new Set() } } : state;
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
    case 'discarded':
      return initialState();
  }
}

type ActionOf<Type extends ImportAction['type']> = Extract<ImportAction, { type: Type }>;

function readingReducer(
  reading: ImportState['reading'],
  action: ActionOf<'readingStarted' | 'readingProgressed' | 'readingCancelled' | 'readingFailed'>,
): ImportState['reading'] {
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

/** After its file has been read again. */
function restore(state: ImportState, { kept, keptAt }: ActionOf<'importRestored'>): ImportState {
  if (!state.rows) return state;
  const { mapping, emptyCells, missing, deliver, timing, note, edits, calls, decisions, importId } = kept;
  const edited = edits.reduce((before, { column, after }) => withCells(before, column, after), state.rows);
  const rows = { ...edited, leftOut: kept.leftOut ?? new Set<number>() };
  const unsentEdits = new Set(edits.flatMap(({ after }) => after.map(([row]) => row)));
  return {
    ...state,
    ...{ mapping, emptyCells, missing, deliver, timing, note, edits, calls, importId, rows, unsentEdits },
    ...{ names: { ...noNames, decisions }, restored: { keptAt, edits: edits.length } },
  };
}

/** Another file begins with the default options: deactivating missing users is decided for each file. */
function loadFile(state: ImportState, action: ActionOf<'fileLoaded'>): ImportState {
  const { source, rows, format, mapping, attributes, readOptions = {} } = action;
  const isSame = state.source === source;
  return {
    ...initialState(),
    ...(isSame && { emptyCells: state.emptyCells, missing: state.missing, note: state.note }),
    ...(isSame && { names: { ...noNames, decisions: state.names.decisions } }),
    ...{ itemsPerCall: state.itemsPerCall, source, rows: withAllEntries(rows), format, readOptions },
    ...{ mapping, attributes },
  };
}
