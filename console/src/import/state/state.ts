import { limits, type ServiceError } from '@rollcall/client';
import { deactivatePercentDefault, type Mapping, type Survey } from '@rollcall/sheets';
import type { Attribute } from '../../components/attribute-value.js';
import type { Knowledge } from './knowledge.js';
import { type Names, noNames, otherNames } from './names.js';
import type { EmptyCells, FirstRows, RowReader } from './row-reader.js';
import type { MissingUser, Rows } from './rows.js';
import type { Format, ReadFailure, ReadOptions, Source } from './source.js';
import { now, type Timing } from './timing.js';

export const steps = ['file', 'columns', 'names', 'check', 'run', 'result'] as const;
export type Step = (typeof steps)[number];

export interface ImportState {
  readonly source: Source | undefined;
  readonly reading: Reading;
  readonly format: Format | undefined;
  /** What the user chose instead of what was detected. */
  readonly readOptions: ReadOptions;
  readonly rows: Rows | undefined;
  readonly mapping: Mapping;
  /** Those that the user may write. */
  readonly attributes: readonly Attribute[];
  readonly emptyCells: EmptyCells;
  readonly names: Names;
  readonly missing: MissingOptions;
  readonly deliver: 'now' | 'hold';
  readonly timing: Timing;
  readonly note: string;
  readonly itemsPerCall: number;
  readonly check: Check | undefined;
  readonly run: Run | undefined;
  readonly calls: readonly CompletedCall[];
  /** The request ID of its calls, which is how they are found together later. */
  readonly importId: string | undefined;
  /** If this import was kept by the browser: when, and how many edits it had. */
  readonly restored: { readonly keptAt: number; readonly edits: number } | undefined;
  /** What was edited in cells, oldest first. */
  readonly edits: readonly CellEdit[];
  /** Rows that were edited here and not sent since. */
  readonly unsentEdits: ReadonlySet<number>;
}

/** Texts of one column that were changed together, and are taken back together. */
export interface CellEdit {
  readonly column: number;
  readonly before: CellTexts;
  readonly after: CellTexts;
}

export type CellTexts = readonly (readonly [row: number, text: string])[];

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

/** What to do with active users who are not in the file. */
export interface MissingOptions {
  readonly isOn: boolean;
  /** More than this share of the active users are not deactivated. */
  readonly percentMax: number;
  /** Employee IDs of users who stay active. */
  readonly kept: ReadonlySet<string>;
  /** Whether users with a role are deactivated, too. */
  readonly includesRoles: boolean;
}

export interface Check {
  readonly reader: RowReader;
  readonly firstRows: FirstRows;
  /** Which employee IDs the file has, and which rows wait for others. Until all rows are read, it is not known. */
  readonly survey: Survey | undefined;
  /** The active users, if those who are missing are to be deactivated. */
  readonly active: ActiveUsers | undefined;
  readonly chunks: readonly CheckChunk[];
  /** Indexes of the chunks still to be previewed. */
  readonly queue: readonly number[];
  /** Rows edited since they were last sent. */
  readonly edited: ReadonlySet<number>;
  /** Corrections to offer, one after the other. */
  readonly fixes: readonly Fix[];
  readonly knowledge: Knowledge;
  readonly abort: AbortController;
  /** How many rows have been checked on their own. */
  readonly read: number;
  /** Whether every row has been checked on its own. */
  readonly isRead: boolean;
  readonly state: 'reading' | 'listing' | 'previewing' | 'stopped' | 'session' | 'checked';
  readonly error: unknown;
}

export interface ActiveUsers {
  /** Until all are known. */
  readonly seen: number;
  readonly users: readonly MissingUser[] | undefined;
  /** Rows whose employee ID can't be read. With any, nobody can be said to be missing. */
  readonly unreadable: number;
  /** Users who are missing, but stay active because they have a role. */
  readonly spared: number;
}

export type Fix = TextFix | ColumnFix;

/** The same correction for several rows. */
export interface TextFix {
  readonly why: 'lostZeros' | 'sameText' | 'formerIDs' | 'lastNameFirst' | 'spacedIDs';
  readonly column: number;
  readonly texts: CellTexts;
  /** One of the texts before. */
  readonly from: string;
  /** How many digits employee IDs usually have, if that is the reason. */
  readonly digits?: number | undefined;
}

/** Leaves out a column that is wrong in nearly all rows. */
export interface ColumnFix {
  readonly why: 'skipColumn';
  readonly column: number;
  readonly count: number;
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
  /** Invalid rows of the file that are not sent. */
  readonly leftOut: number;
  /** How many users the rows are about, as the user has confirmed. */
  readonly users: number | undefined;
  readonly succeeded: number;
  readonly failed: number;
  /** Rows of calls that wait for their time or for approval. */
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
  /** When the call was meant to run. */
  readonly timing: Timing;
  readonly deliver: ImportState['deliver'];
  /** The ID of the undo. */
  readonly undoneBy: string | undefined;
}

export function initialState(): ImportState {
  return {
    source: undefined,
    reading: { state: 'idle' },
    format: undefined,
    readOptions: {},
    rows: undefined,
    mapping: {},
    attributes: [],
    emptyCells: 'leaves',
    names: noNames,
    missing: { isOn: false, percentMax: deactivatePercentDefault, kept: new Set(), includesRoles: false },
    deliver: 'now',
    timing: now,
    note: '',
    itemsPerCall: limits.bulkItemsMax,
    check: undefined,
    run: undefined,
    calls: [],
    importId: undefined,
    edits: [],
    restored: undefined,
    unsentEdits: new Set(),
  };
}

/** Paused runs count as running. */
export function isRunning({ run }: ImportState): boolean {
  return run !== undefined && run.state !== 'ended';
}

/** The requested step, or the last one before it that can be shown. Without a request, where the user left off. */
export function currentStep(state: ImportState, requested: string | null): Step {
  const { rows, check, run } = state;
  if (isRunning(state)) return 'run';
  if (!rows) return 'file';
  const step = steps.find((name) => name === requested) ?? 'result';
  if (step === 'file' || step === 'columns') return step;
  if (step === 'names') return otherNames(state.names).length > 0 ? step : 'columns';
  if (!check) return 'columns';
  // A run that has ended is shown by its result.
  return step === 'check' || !run ? 'check' : 'result';
}

/** Last call first, because its renames may block the undo of an earlier one. */
export function callsToUndo({ calls }: ImportState): CompletedCall[] {
  return calls.filter(({ undoneBy, succeeded }) => undoneBy === undefined && succeeded > 0).reverse();
}
