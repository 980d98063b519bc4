import type { Mapping } from '@rollcall/sheets';
import type { EmptyCells } from './row-reader.js';
import type { Outcome, Preview, RowProblem, Rows } from './rows.js';
import type { Format, ReadFailure, Source } from './source.js';
import type { BulkState, Check, CheckChunk, CompletedCall, Pause, PendingCall } from './state.js';

export type BulkAction =
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
    }
  // columns
  | { readonly type: 'mappingChanged'; readonly mapping: Mapping }
  | { readonly type: 'emptyCellsChanged'; readonly emptyCells: EmptyCells }
  // check
  | { readonly type: 'checkStarted'; readonly open: readonly number[]; readonly check: Check }
  | { readonly type: 'problemsFound'; readonly problems: readonly (readonly [number, Problems])[] }
  | { readonly type: 'chunksPlanned'; readonly chunks: readonly CheckChunk[]; readonly itemsPerCall: number }
  | { readonly type: 'previewStarted' }
  | { readonly type: 'chunkSent'; readonly chunk: number }
  | {
      readonly type: 'chunkPreviewed';
      readonly chunk: number;
      readonly safetyLimit: string | undefined;
      readonly previews: readonly (readonly [number, Preview])[];
    }
  | {
      readonly type: 'previewStopped';
      readonly chunk: number;
      readonly state: 'stopped' | 'session';
      readonly error: unknown;
    }
  | { readonly type: 'checkFinished' }
  | { readonly type: 'cellEdited'; readonly row: number; readonly column: number; readonly text: string }
  | { readonly type: 'deliverChanged'; readonly deliver: BulkState['deliver'] }
  // run
  | { readonly type: 'runPlanned'; readonly pending: readonly PendingCall[] }
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
    };

type Problems = readonly RowProblem[] | undefined;
