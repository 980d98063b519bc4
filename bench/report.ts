import { readFileSync, writeFileSync } from 'node:fs';
import type { Machine } from './machine.js';
import { markdownOf } from './markdown.js';
import { picturesOf } from './pictures.js';

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

const jsonFile = 'bench/figures.json';
const markdownFile = 'docs/performance.md';

/** Replaces one section of the report. The others stay as measured before. */
export function saveSection(name: string, section: Section, machine: Machine): void {
  const saved: SavedSections = { ...savedSections(), [name]: { machine, section } };
  writeFileSync(jsonFile, `${JSON.stringify(saved, rounded, 2)}\n`);
  writeFileSync(markdownFile, markdownOf(saved));
  for (const [file, svg] of Object.entries(picturesOf(saved))) writeFileSync(`docs/${file}`, svg);
}

/** A bit more precision than a noisy machine supports. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

function savedSections(): SavedSections {
  try {
    return JSON.parse(readFileSync(jsonFile, 'utf8')) as SavedSections;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
