import type { Mapping } from '@rollcall/sheets';
import type { Check } from '../check/check.js';
import type { Undo } from '../result/undo.js';
import type { MadeCall, Run } from '../run/run.js';
import type { News } from './news.js';
import type { EmptyMeans } from './row-reader.js';
import type { Rows } from './rows.js';
import type { BulkKind } from './service-calls.js';
import type { Format, ReadFailure, Source } from './source.js';
import { itemsPerCallMax } from './split-into-calls.js';

export const steps = ['file', 'columns', 'check', 'run', 'result'] as const;
export type Step = (typeof steps)[number];

export type Reading =
  | { readonly state: 'idle' }
  | {
      readonly state: 'reading';
      readonly name: string;
      rows: number;
      share: number | undefined;
      cancel(): void;
    }
  | { readonly state: 'failed'; readonly name: string; readonly failure: ReadFailure };

/** All that a wizard knows. It outlives its page: who looks at another page and comes back finds it again. */
export interface Wizard {
  readonly kind: BulkKind;
  /** Whoever it belongs to. */
  readonly owner: string;
  readonly news: News;
  source: Source | undefined;
  reading: Reading;
  format: Format | undefined;
  rows: Rows | undefined;
  mapping: Mapping;
  emptyMeans: EmptyMeans;
  deliver: 'now' | 'hold';
  itemsPerCall: number;
  check: Check | undefined;
  run: Run | undefined;
  calls: MadeCall[];
  undo: Undo | undefined;
}

export function createWizard(kind: BulkKind, owner: string, news: News): Wizard {
  return {
    kind,
    owner,
    news,
    source: undefined,
    reading: { state: 'idle' },
    format: undefined,
    rows: undefined,
    mapping: {},
    emptyMeans: 'leaves',
    deliver: 'now',
    itemsPerCall: itemsPerCallMax,
    check: undefined,
    run: undefined,
    calls: [],
    undo: undefined,
  };
}

/** Between the first call and the last, pauses included. */
export function isRunning({ run }: Wizard): boolean {
  return run !== undefined && run.state !== 'ended';
}

/** The step that can be shown: not before what it needs is there, and no other while a run is under way. */
export function stepOf(wizard: Wizard, asked: string | null): Step {
  const { rows, check, run } = wizard;
  if (isRunning(wizard)) return 'run';
  const step = steps.find((name) => name === asked) ?? 'file';
  if (!rows) return 'file';
  if (step === 'file' || step === 'columns') return step;
  if (!check) return 'columns';
  // A run that has ended is its result.
  return step === 'check' || !run ? 'check' : 'result';
}
