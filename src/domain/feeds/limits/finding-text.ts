import { userFields } from '../../../contract/user-fields.js';
import { dateText } from '../../time-text.js';
import type { ColumnsMoved, CountFinding, FieldFinding, Finding, RowsFinding } from './finding.js';
import type { SourceColumn } from './run-profile.js';

/** In English. The console translates from the data. */
export function findingText(finding: Finding): string {
  switch (finding.code) {
    case 'FILE_SEEN_BEFORE':
      return `This is the file of ${dateText(finding.at)} again. Newer files have been synced since then.`;
    case 'CHANGES_REVERTED':
      return `${number(finding.actual)} of ${users(finding.of)} would get back values that recent changes replaced. The file may be an older one.`;
    case 'ROWS_BELOW':
    case 'ROWS_ABOVE':
      return rowsText(finding);
    case 'FIELD_CHANGES':
    case 'FIELD_EMPTIED':
      return fieldText(finding);
    case 'COLUMNS_MOVED':
      return movedText(finding);
    default:
      return countText(finding);
  }
}

function rowsText({ code, actual, limit, source, usual }: RowsFinding): string {
  const compared = usual === undefined ? '' : ` The last one had ${number(usual)}.`;
  const bound =
    source === 'explicit' ? 'The limit is' : code === 'ROWS_BELOW' ? 'Expected at least' : 'Expected at most';
  return `The file has ${counted(actual, 'row')}.${compared} ${bound} ${number(limit)}.`;
}

const verbs: Readonly<Record<Exclude<CountFinding['code'], 'FAILURES' | 'WITHDRAWALS'>, string>> = {
  DEACTIVATIONS: 'deactivated',
  REACTIVATIONS: 'activated again',
  RENAMES: 'given another employee ID',
  CREATES: 'created',
};

function countText(finding: CountFinding): string {
  const { code, isFirstRun, limit, missing = 0 } = finding;
  const isFirstDeactivation = code === 'DEACTIVATIONS' && isFirstRun && limit === 0;
  const what = whatText(finding);
  const absent = missing > 0 ? ` The file lacks ${number(missing)} of them.` : '';
  if (isFirstDeactivation) return `${what}.${absent} A first run deactivates users only with approval.`;
  return `${what}${usualText(finding, number)}.${absent}${limitText(finding)}`;
}

function whatText({ code, actual, of }: CountFinding): string {
  const share = actual > of ? `(${number(of)} so far)` : `(${percent(actual, of)} of ${number(of)})`;
  if (code === 'FAILURES') return `${counted(actual, 'row')} would fail ${share}`;
  if (code === 'WITHDRAWALS')
    return `The file no longer plans ${number(actual)} of ${counted(of, 'later change')}`;
  return `${users(actual)} would be ${verbs[code]} ${share}`;
}

function fieldText(finding: FieldFinding): string {
  const { code, field, actual, of, column } = finding;
  const verb = code === 'FIELD_EMPTIED' ? 'becomes empty' : 'changes';
  const what = `${fieldName(field)} ${verb} for ${percent(actual, of)} of users (${number(actual)} of ${number(of)})`;
  const usual = usualText(finding, (value) => percent(value, of));
  const hint = !column
    ? ''
    : code === 'FIELD_EMPTIED'
      ? ` Check ${columnText(column)}.`
      : ` ${capitalized(columnText(column))} may have moved.`;
  return `${what}${usual}.${limitText(finding)}${hint}`;
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

function movedText({ fields, of }: ColumnsMoved): string {
  const least = Math.min(...fields.map(({ actual }) => actual));
  return `${listed.format(fields.map(({ field }) => fieldName(field)))} change for at least ${percent(least, of)} of users at once. The columns of the file may have moved.`;
}

function usualText(
  { usual, highest }: Partial<CountFinding | FieldFinding>,
  text: (value: number) => string,
): string {
  if (usual === undefined || highest === undefined) return '';
  return highest === 0 ? ', usually none' : `, usually ${text(usual)} and at most ${text(highest)}`;
}

function limitText({ limit, source }: CountFinding | FieldFinding): string {
  return ` The ${source === 'explicit' ? 'configured ' : ''}limit is ${number(limit)}.`;
}

function columnText({ number: place, heading }: SourceColumn): string {
  return heading === '' ? `column ${place}` : `column ${place} ("${heading}")`;
}

export function fieldName(field: string): string {
  if (field.startsWith('attributes.')) return `"${field.slice('attributes.'.length)}"`;
  return Object.entries(userFields).find(([name]) => name === field)?.[1].label ?? `"${field}"`;
}

const english = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function number(value: number): string {
  return english.format(value);
}

function percent(part: number, whole: number): string {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return share > 0 && share < 0.1 ? 'less than 0.1%' : `${english.format(share)}%`;
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function users(count: number): string {
  return counted(count, 'user');
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
