import { limits, type ServiceError } from '@rollcall/client';
import type { Mapping } from '@rollcall/sheets';
import type { EmptyCells, FirstRows, RowReader } from './row-reader.js';
import type { Rows } from './rows.js';
import type { BulkKind } from './service-calls.js';
import type { Format, ReadFailure, Source } from './source.js';

export const steps = ['file', 'columns', 'check', 'run', 'result'] as const;
export type Step = (typeof steps)[number];

export interface BulkState {
  readonly kind: BulkKind;
  readonly source: Source | undefined;
  readonly reading: Reading;
  readonly format: Format | undefined;
  readonly rows: Rows | undefined;
  readonly mapping: Mapping;
  readonly emptyCells: EmptyCells;
  readonly deliver: 'now' | 'hold';
  readonly itemsPerCall: number;
  readonly check: Check | undefined;
  readonly run: Run | undefined;
  readonly calls: readonly CompletedCall[];
}

export type Reading =
  | { readonly state: 'idle' }
  | {
      readonly state: 'reading';
      readonly name: string;
      readonly rows: number;
      /** Between 0 and 1; undefined if the size is unknown. */
      readonly share: number | undefined;
      cancel(): void;
    }
  | { readonly state: 'failed'; readonly name: string; readonly failure: ReadFailure };

export interface Check {
  readonly reader: RowReader;
  readonly firstRows: FirstRows;
  readonly chunks: readonly CheckChunk[];
  /** Indexes of the chunks still to be previewed. */
  readonly queue: readonly number[];
  /** Rows edited since they were last sent. */
  readonly edited: ReadonlySet<number>;
  readonly abort: AbortController;
  readonly state: 'reading' | 'previewing' | 'stopped' | 'session' | 'checked';
  readonly error: unknown;
}

/** Rows that are previewed with one request. */
export interface CheckChunk {
  readonly rows: readonly number[];
  /** Why these rows will need confirmation. */
  readonly safetyLimit: string | undefined;
}

export interface Run {
  readonly pending: readonly PendingCall[];
  readonly all: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Rows of calls that await approval. */
  readonly planned: number;
  /** Time spent in requests, without pauses. */
  readonly workedMs: number;
  readonly state: 'running' | 'stopping' | 'paused' | 'ended';
  readonly pause: Pause | undefined;
}

/** Not sent yet, or sent without a response. */
export interface PendingCall {
  readonly rows: readonly number[];
  readonly key: string;
  readonly confirm: number | undefined;
}

export type Pause =
  | { readonly why: 'failed'; readonly error: unknown }
  | { readonly why: 'interrupted'; readonly error: ServiceError }
  | { readonly why: 'session' }
  | { readonly why: 'stopped' }
  | { readonly why: 'safetyLimit'; readonly confirm: number; readonly message: string };

export interface CompletedCall {
  readonly id: string;
  readonly rows: readonly number[];
  readonly succeeded: number;
  readonly failed: number;
  readonly planned: number;
  /** The ID of the undo. */
  readonly undoneBy: string | undefined;
}

export function initialState(kind: BulkKind): BulkState {
  return {
    kind,
    source: undefined,
    reading: { state: 'idle' },
    format: undefined,
    rows: undefined,
    mapping: {},
    emptyCells: 'leaves',
    deliver: 'now',
    itemsPerCall: limits.bulkItemsMax,
    check: undefined,
    run: undefined,
    calls: [],
  };
}

/** Paused runs count as running. */
export function isRunning({ run }: BulkState): boolean {
  return run !== undefined && run.state !== 'ended';
}

/** The requested step, or the last one before it that can be shown. */
export function currentStep(state: BulkState, requested: string | null): Step {
  const { rows, check, run } = state;
  if (isRunning(state)) return 'run';
  const step = steps.find((name) => name === requested) ?? 'file';
  if (!rows) return 'file';
  if (step === 'file' || step === 'columns') return step;
  if (!check) return 'columns';
  // A run that has ended is shown by its result.
  return step === 'check' || !run ? 'check' : 'result';
}

/** Last call first, because its renames may block the undo of an earlier one. */
export function callsToUndo({ calls }: BulkState): CompletedCall[] {
  return calls.filter(({ undoneBy, succeeded }) => undoneBy === undefined && succeeded > 0).reverse();
}
