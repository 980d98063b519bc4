import { entryFields, toCsv } from '#sheets';
import { count, counted } from '../../terminal/numbers.js';
import { shellQuoted } from '../../terminal/shell-quoted.js';
import { sanitize } from '../../terminal/text-width.js';
import type { DecidedName, FileNames, UndecidedName } from './decide-names.js';
import { candidatesText, entryText, nouns } from './entry-text.js';
import { namesFields, namesHeadings } from './given-decisions.js';

const listedMax = 20;
const namesListedMax = 3;

const whyNotTexts = {
  strict: ' New entries have to be added to the directory first.',
  invalid: ' It cannot be a serial, so it cannot become a new entry.',
} as const;

/** Which names have to be decided about, and how. */
export function undecidedText(
  undecided: readonly UndecidedName[],
  file: string,
  names: { readonly option: string | undefined; readonly isWritten: boolean },
): string {
  const listed = undecided.slice(0, listedMax).map(undecidedLine);
  const more = undecided.length - listed.length;
  return [
    `${totalText(undecided)} in ${file} ${undecided.length === 1 ? 'is' : 'are'} not known. Nothing was changed.`,
    ...listed,
    ...(more > 0 ? [`  … and ${count(more)} more.`] : []),
    ...adviceLines(undecided, names),
  ].join('\n');
}

function totalText(undecided: readonly UndecidedName[]): string {
  return entryFields
    .map((field) => ({ field, number: undecided.filter(({ group }) => group.field === field).length }))
    .filter(({ number }) => number > 0)
    .map(({ field, number }) => counted(number, nouns[field].one, nouns[field].many))
    .join(' and ');
}

function undecidedLine({ group, whyNotCreated }: UndecidedName): string {
  const { field, name, rows, firstRow } = group;
  const where = rows === 1 ? `row ${count(firstRow)}` : `${count(rows)} rows from row ${count(firstRow)}`;
  const why = whyNotCreated ? whyNotTexts[whyNotCreated] : '';
  return `  ${nouns[field].one} "${sanitize(name)}", ${where}.${why}${candidatesText(group)}`;
}

function adviceLines(
  [first]: readonly UndecidedName[],
  { option, isWritten }: { readonly option: string | undefined; readonly isWritten: boolean },
): string[] {
  if (!first) return [];
  if (isWritten) {
    return [`They are in ${option} now. Fill in its column "decision" and run the same command again.`];
  }
  const { field, name, candidates } = first.group;
  const example = shellQuoted(`${sanitize(name)}=${sanitize(candidates[0]?.serial ?? 'SERIAL')}`);
  return [
    'Decide what they mean. The service remembers it for the next file:',
    `  --${nouns[field].one} ${example}  uses an entry; NAME= leaves the name out`,
    `  --names ${option ?? 'names.csv'}  reads decisions from a file${option === undefined ? ', which is written if it does not exist' : ''}`,
    '  --unknown create, or leave-out  for all unknown names of this file',
  ];
}

/** A file with the names to decide about, to be filled in. */
export function namesTemplate(undecided: readonly UndecidedName[]): string {
  const rows = undecided.map(({ group: { field, name, rows, candidates } }) => [
    ...[namesFields[field], name, rows, '', candidates[0]?.serial ?? ''],
    candidates.map(({ serial, displayName }) => `${serial}: ${displayName ?? serial}`).join('; '),
  ]);
  return toCsv([namesHeadings, ...rows], { bom: true });
}

/** One line per field, unless all its names are the serials or names of entries. */
export function namesNotes({ decided }: Pick<FileNames, 'decided'>): string[] {
  return entryFields.flatMap((field) => {
    const own = decided.filter(({ group }) => group.field === field);
    const parts = [
      partText('new', own.filter(isCreated)),
      partText(
        'by former names',
        own.filter(({ group, decision }) => !decision && group.match === 'formerName'),
      ),
      partText(
        'as decided',
        own.filter(({ group, decision }) => decision?.kind === 'use' || isEarlierDecision(group, decision)),
      ),
      partText('left out', own.filter(isLeftOut)),
    ].filter((part) => part !== '');
    return parts.length === 0 ? [] : [`${capital(nouns[field].many)}: ${parts.join(', ')}`];
  });
}

function isCreated({ decision }: DecidedName): boolean {
  return decision?.kind === 'create';
}

function isEarlierDecision(group: DecidedName['group'], decision: DecidedName['decision']): boolean {
  return !decision && group.match === 'decision' && group.entry !== null;
}

function isLeftOut({ group, decision }: DecidedName): boolean {
  return decision ? decision.kind === 'leaveOut' : group.match === 'decision' && group.entry === null;
}

function partText(what: string, names: readonly DecidedName[]): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, namesListedMax).map(({ group, decision }) => {
    const entry = decision?.kind === 'use' ? decision.entry : group.entry;
    return `"${sanitize(group.name)}"${entry ? ` → ${entryText(entry)}` : ''}`;
  });
  const more = names.length > namesListedMax ? ', …' : '';
  return `${count(names.length)} ${what} (${shown.join(', ')}${more})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
