import { machineText } from './machine.js';
import { markdownTable } from './markdown-table.js';
import { pictureOf } from './pictures.js';
import { verdict } from './report-text.js';
import type { SavedSections, Section, SectionTable } from './section.js';

/** The complete docs/performance.md. */
export function markdownOf(saved: SavedSections): string {
  const sections = Object.values(saved);
  const machines = new Set(sections.map(({ machine }) => machineText(machine)));
  const [onlyMachine] = machines.size === 1 ? machines : [];
  const parts = [
    '# Performance',
    `\`npm run bench -- --save\` writes this page; [bench/figures.json](../bench/figures.json) contains the same figures. Every figure is
compared with bare SQL that does the same work, measured alternately in the same run. Compare ratios rather than times, which depend on
the machine.`,
    ...(onlyMachine ? [`Measured on: ${onlyMachine}.`] : []),
    ...Object.entries(saved).map(([name, { machine, section }]) =>
      sectionMarkdown(name, section, onlyMachine ? undefined : machineText(machine)),
    ),
    targetsMarkdown(saved),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function sectionMarkdown(
  name: string,
  { title, intro, tables, notes }: Section,
  machine: string | undefined,
): string {
  const picture = pictureOf[name];
  const parts = [
    `## ${title}`,
    intro,
    ...(picture ? [`![${picture.says}](${picture.file})`] : []),
    ...(machine ? [`Measured on: ${machine}.`] : []),
    ...tables.map(tableMarkdown),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ];
  return parts.join('\n\n');
}

function tableMarkdown({ caption, head, rows }: SectionTable): string {
  return `**${caption}**\n\n${markdownTable([head, ...rows])}`;
}

function targetsMarkdown(saved: SavedSections): string {
  const rows = Object.entries(saved).flatMap(([name, { section }]) =>
    (section.targets ?? []).map(({ target, measured, met }) => [name, target, measured, verdict(met)]),
  );
  if (rows.length === 0) return '';
  return `## Targets\n\n${markdownTable([['section', 'target', 'measured', ''], ...rows])}`;
}
