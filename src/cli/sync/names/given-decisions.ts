import { existsSync, readFileSync } from 'node:fs';
import { type EntryField, openTable, TableError, tableProblemText } from '#sheets';
import { pathOf } from '../../host.js';
import { CommandProblem } from '../../problem.js';
import { sanitize } from '../../terminal/text-width.js';

export interface NameOptions {
  /** `name=entry` texts; `name=` leaves the name out. */
  readonly organization?: readonly string[];
  readonly tag?: readonly string[];
  /** A file with decisions, or to write with the names that need one. */
  readonly names?: string;
  /** What to do about names that nothing in the directory is called by. */
  readonly unknown: 'stop' | 'create' | 'leave-out';
}

/** What the user says about a name. */
export interface GivenDecision {
  readonly field: EntryField;
  readonly name: string;
  readonly decision: 'use' | 'create' | 'leaveOut';
  /** The serial or name of the entry to use. */
  readonly entry: string | undefined;
  /** Where it says so, for messages. */
  readonly where: string;
}

/** Of the options, and of the file with names. Later ones count. */
export async function givenDecisions(options: NameOptions): Promise<GivenDecision[]> {
  const { organization = [], tag = [], names } = options;
  return [
    ...(names === undefined ? [] : await readNames(names)),
    ...organization.map((text) => decisionIn('--organization', 'organizationSerial', text)),
    ...tag.map((text) => decisionIn('--tag', 'tagSerials', text)),
  ];
}

function decisionIn(option: string, field: EntryField, text: string): GivenDecision {
  const [, name = '', entry = ''] = /^(.*)=(.*)$/s.exec(text) ?? [];
  const where = `${option} ${sanitize(text)}`;
  if (name.trim() === '') {
    throw new CommandProblem('wrongUse', `${where}: must be NAME=SERIAL, or NAME= to leave the name out.`);
  }
  const isUsed = entry.trim() !== '';
  return {
    ...{ field, where, name: name.trim(), decision: isUsed ? 'use' : 'leaveOut' },
    entry: isUsed ? entry.trim() : undefined,
  };
}

export const namesHeadings = ['field', 'name', 'rows', 'decision', 'serial', 'suggestion'] as const;
export const namesFields: Readonly<Record<EntryField, string>> = {
  organizationSerial: 'organization',
  tagSerials: 'tag',
};
const decisions: Readonly<Record<string, GivenDecision['decision']>> = {
  use: 'use',
  create: 'create',
  'leave-out': 'leaveOut',
  'leave out': 'leaveOut',
};

/** A file that doesn't exist yet has no decisions: it is written if any are needed. */
async function readNames(path: string): Promise<GivenDecision[]> {
  const file = pathOf(path);
  if (!existsSync(file)) return [];
  const given: GivenDecision[] = [];
  try {
    const { headings, rows } = await openTable(new Blob([readFileSync(file)]));
    const columns = new Map(headings.map(({ name, column }) => [name.trim().toLowerCase(), column]));
    for (const heading of ['field', 'name', 'decision', 'serial']) {
      if (!columns.has(heading)) throw unusable(path, `It has no column "${heading}".`);
    }
    for await (const { number, cells } of rows) {
      const cellOf = (heading: string) => (cells[columns.get(heading) ?? -1] ?? '').trim();
      given.push(...decisionOf(path, number, cellOf));
    }
    return given;
  } catch (error) {
    if (error instanceof CommandProblem) throw error;
    if (!(error instanceof TableError)) throw unusable(path, `It cannot be read (${codeOf(error)}).`);
    if (error.problem.code === 'ONLY_HEADINGS') return [];
    throw unusable(path, tableProblemText(error.problem));
  }
}

function codeOf(error: unknown): string {
  return (Object(error) as NodeJS.ErrnoException).code ?? String(error);
}

function decisionOf(path: string, row: number, cellOf: (heading: string) => string): GivenDecision[] {
  const [name, written] = [cellOf('name'), cellOf('decision').toLowerCase()];
  if (name === '' || written === '') return []; // still to be decided
  const where = `${path}, row ${row}`;
  const field = Object.entries(namesFields).find(([, noun]) => noun === cellOf('field').toLowerCase());
  if (!field) throw unusable(path, `In row ${row}, the field must be organization or tag.`);
  const decision = decisions[written];
  if (!decision) throw unusable(path, `In row ${row}, the decision must be use, create or leave-out.`);
  const entry = decision === 'use' ? cellOf('serial') : undefined;
  if (entry === '') throw unusable(path, `In row ${row}, "use" needs the serial of an entry.`);
  return [{ field: field[0] as EntryField, name, decision, entry, where }];
}

function unusable(path: string, problem: string): CommandProblem {
  return new CommandProblem('wrongUse', `Cannot use the names in ${path}. ${problem}`);
}
