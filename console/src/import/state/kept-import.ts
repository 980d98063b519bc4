import type { NameDecision } from '@rollcall/sheets';
import type { KeptWork } from '../../session/kept-work.js';
import type { ReadOptions } from './source.js';
import type { ImportState } from './state.js';
import { countResults } from './verdicts.js';

/** What a reload needs, besides the file, to go on with an import. The rows are read from the file again. */
export interface KeptImport
  extends Pick<
    ImportState,
    'mapping' | 'emptyCells' | 'missing' | 'deliver' | 'timing' | 'note' | 'edits' | 'calls' | 'importId'
  > {
  readonly name: string;
  readonly readOptions: ReadOptions;
  readonly leftOut: ReadonlySet<number>;
  readonly decisions: ReadonlyMap<string, NameDecision>;
  /** Whether its rows were being checked, or had been. */
  readonly isChecked: boolean;
}

/** Undefined without a file, and once there is nothing left to do. */
export function keptImportOf(state: ImportState): KeptImport | undefined {
  const { source, readOptions, names, check } = state;
  if (!source || !state.rows || isFinished(state)) return undefined;
  const { mapping, emptyCells, missing, deliver, timing, note, edits, calls, importId } = state;
  return {
    leftOut: state.rows.leftOut,
    ...{ name: source.name, readOptions, decisions: names.decisions, isChecked: check !== undefined },
    ...{ mapping, emptyCells, missing, deliver, timing, note, edits, calls, importId },
  };
}

/** Whether another object was made for what is the same import. */
export function isSameWork(one: KeptImport | undefined, other: KeptImport | undefined): boolean {
  if (!one || !other) return one === other;
  return (Object.keys(one) as (keyof KeptImport)[]).every((key) => one[key] === other[key]);
}

function isFinished({ rows, run }: ImportState): boolean {
  if (!rows || run?.state !== 'ended') return false;
  const { all, done, planned, unchanged } = countResults(rows);
  return done + planned + unchanged === all;
}

/** Undefined if another version of the console has kept it. */
export function importIn({ content }: KeptWork): KeptImport | undefined {
  const kept = content as Partial<KeptImport> | undefined;
  return kept?.name !== undefined && kept.edits && kept.decisions ? (kept as KeptImport) : undefined;
}
