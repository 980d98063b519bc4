import type { Machine } from './machine.js';

/** The results of one part of the benchmarks: tables for humans, data for machines. */
export interface Section {
  readonly title: string;
  readonly intro: string;
  readonly tables: readonly SectionTable[];
  readonly notes: readonly string[];
  readonly targets?: readonly Target[];
  readonly data: unknown;
}

export interface SectionTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Target {
  readonly target: string;
  readonly measured: string;
  /** Undefined if it could not be measured. */
  readonly met: boolean | undefined;
}

/** A section with the machine it was measured on, because sections can be measured separately. */
export interface SavedSection {
  readonly machine: Machine;
  readonly section: Section;
}

export type SavedSections = Readonly<Record<string, SavedSection>>;
