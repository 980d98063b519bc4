import type { Mapping, NameDecision, NameGroup, Survey } from '@rollcall/sheets';
import type { Attribute } from '../../components/attribute-value.js';
import type { KeptImport } from './kept-import.js';
import type { Knowledge } from './knowledge.js';
import type { NameAnswers } from './names.js';
import type { EmptyCells } from './row-reader.js';
import type { Findings, MissingUser, Outcome, Preview, RowProblem, Rows } from './rows.js';
import type { Format, ReadFailure, ReadOptions, Source } from './source.js';
import type {
  ActiveUsers,
  CellTexts,
  Check,
  CheckChunk,
  CompletedCall,
  Fix,
  ImportState,
  MissingOptions,
  Pause,
  PendingCall,
} from './state.js';
import type { Timing } from './timing.js';

export type ImportAction =
  // file
  | { readonly type: 'readingStarted'; readonly name: string; readonly cancel: () => void }
  | { readonly type: 'readingProgressed'; readonly rows: number; readonly share: number | undefined }
  | { readonly type: 'readingCancelled' }
  | { readonly type: 'readingFailed'; readonly name: string; readonly failure: ReadFailure }
  | {
      readonly type: 'fileLoaded';
      readonly source: Source;
      readonly rows: Rows;
      readonly format: Format;
      readonly mapping: Mapping;
      readonly attributes: ImportState['attributes'];
      readonly readOptions?: ReadOptions;
    }
  | { readonly type: 'importRestored'; readonly kept: KeptImport; readonly keptAt: number }
  // columns
  | { readonly type: 'mappingChanged'; readonly mapping: Mapping }
  | { readonly type: 'attributeDefined'; readonly attribute: Attribute; readonly column: number }
  | { readonly type: 'emptyCellsChanged'; readonly emptyCells: EmptyCells }
  | { readonly type: 'missingChanged'; readonly missing: Partial<MissingOptions> }
  // names
  | { readonly type: 'namesLearned'; readonly answers: NameAnswers }
  | { readonly type: 'namesProposed' }
  | { readonly type: 'proposalsAccepted' }
  | {
      readonly type: 'namesDecided';
      readonly groups: readonly NameGroup[];
      readonly decision: NameDecision | undefined;
    }
  // check
  | { readonly type: 'checkStarted'; readonly open: readonly number[]; readonly check: Check }
  | {
      readonly type: 'problemsFound';
      readonly read: number;
      readonly problems: readonly (readonly [number, Problems])[];
    }
  | { readonly type: 'rowsRead'; readonly survey: Survey }
  | { readonly type: 'usersListed'; readonly active: ActiveUsers; readonly missing: readonly MissingUser[] }
  | { readonly type: 'chunksPlanned'; readonly chunks: readonly CheckChunk[]; readonly itemsPerCall: number }
  | { readonly type: 'previewStarted' }
  | { readonly type: 'chunkSent'; readonly chunk: number }
  | {
      readonly type: 'chunkPreviewed';
      readonly chunk: number;
      readonly safetyLimit: string | undefined;
      readonly previews: readonly (readonly [number, Preview])[];
    }
  | { readonly type: 'checkStopped'; readonly state: 'stopped' | 'session'; readonly error: unknown }
  | { readonly type: 'chunkQueued'; readonly chunk: number }
  | { readonly type: 'checkFinished' }
  | { readonly type: 'findingsFound'; readonly findings: Findings }
  | { readonly type: 'learned'; readonly knowledge: Partial<Knowledge> }
  | { readonly type: 'fixFound'; readonly fix: Fix }
  | { readonly type: 'fixDismissed' }
  | { readonly type: 'cellsEdited'; readonly column: number; readonly texts: CellTexts }
  | { readonly type: 'editUndone' }
  | { readonly type: 'missingUserKept'; readonly row: number }
  | { readonly type: 'rowLeftOut'; readonly row: number }
  | { readonly type: 'rowsTakenBack' }
  | { readonly type: 'deliverChanged'; readonly deliver: ImportState['deliver'] }
  | { readonly type: 'timingChanged'; readonly timing: Timing }
  | { readonly type: 'noteChanged'; readonly note: string }
  // run
  | {
      readonly type: 'runPlanned';
      readonly pending: readonly PendingCall[];
      readonly leftOut: number;
      readonly users?: number | undefined;
      readonly importId: string;
    }
  | { readonly type: 'runResumed' }
  | { readonly type: 'stopRequested' }
  | { readonly type: 'runPaused'; readonly pause: Pause }
  | { readonly type: 'callReplaced'; readonly call: PendingCall }
  | {
      readonly type: 'callCompleted';
      readonly call: CompletedCall;
      readonly outcomes: readonly (readonly [number, Outcome])[];
      readonly workedMs: number;
    }
  | { readonly type: 'runEnded' }
  // result
  | {
      readonly type: 'callUndone';
      readonly id: string;
      readonly undoneBy: string;
      /** Employee IDs of the users that the undo could not restore. */
      readonly skipped: ReadonlySet<string>;
    }
  // its user has signed out
  | { readonly type: 'discarded' };

type Problems = readonly RowProblem[] | undefined;
