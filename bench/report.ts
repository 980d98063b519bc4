import { readFileSync, writeFileSync } from 'node:fs';
import type { Machine } from './machine.js';
import { markdownOf } from './markdown.js';
import { picturesOf } from './pictures.js';
import type { SavedSections, Section } from './section.js';

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
