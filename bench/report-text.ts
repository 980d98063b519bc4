import { table } from '../src/cli/terminal/table.js';
import type { Section } from './section.js';

/** The report for a terminal. */
export function textOf({ title, intro, tables, notes }: Section): string {
  const parts = [
    `${title}\n${'='.repeat(title.length)}`,
    intro,
    ...tables.map(({ caption, head, rows }) => `${caption}\n${table([head, ...rows])}`),
    ...notes,
  ];
  return `\n${parts.join('\n\n')}\n`;
}

export function verdict(met: boolean | undefined): string {
  return met === undefined ? 'not measured' : met ? 'met' : 'MISSED';
}

/** The targets of all sections, at the end of a run. */
export function targetsText(sections: Readonly<Record<string, Section>>): string {
  const rows = Object.entries(sections).flatMap(([name, { targets = [] }]) =>
    targets.map(({ target, measured, met }) => [name, target, measured, verdict(met)]),
  );
  return rows.length === 0
    ? ''
    : `\nTargets\n${table([['section', 'target', 'measured', 'verdict'], ...rows])}\n`;
}
