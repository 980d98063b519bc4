import type { Schemas } from '#client';
import { formatFields } from '../changes/format-change.js';
import type { OutcomeRow } from '../outcome-table.js';
import { count, counted } from '../terminal/numbers.js';

export type Report = Schemas['MatchingUpdateReport']['data'];
type Success = Report['successItems'][number];

export interface Tally {
  /** The number to confirm. */
  readonly matched: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
}

export function tallyOf({ successItems, failedItems }: Report): Tally {
  const changed = successItems.filter(isChange).length;
  return {
    matched: successItems.length + failedItems.length,
    changed,
    unchanged: successItems.length - changed,
    failed: failedItems.length,
  };
}

function isChange({ effect }: Success): boolean {
  return effect?.kind !== 'unchanged';
}

/** "Would change 40 of 42 users: 1 is already up to date, 1 would fail." */
export function formatPreview(tally: Tally): string {
  const { unchanged, failed } = tally;
  const isOne = unchanged === 1;
  return formatTally(`Would change ${shareOf(tally)}`, [
    [unchanged, `${isOne ? 'is' : 'are'} already up to date`],
    [failed, 'would fail'],
  ]);
}

/** "Changed 40 of 42 users: 1 was already up to date, 1 failed." */
export function formatResult(tally: Tally): string {
  const { unchanged, failed } = tally;
  const isOne = unchanged === 1;
  return formatTally(`Changed ${shareOf(tally)}`, [
    [unchanged, `${isOne ? 'was' : 'were'} already up to date`],
    [failed, 'failed'],
  ]);
}

/** For a call that was not sent, because no user would change. */
export function formatNothing({ matched }: Tally): string {
  return `Nothing to change: ${matched === 1 ? 'the user is' : `all ${counted(matched, 'user')} are`} up to date.`;
}

function shareOf({ matched, changed }: Tally): string {
  if (changed === matched) return counted(matched, 'user');
  return `${changed === 0 ? 'none' : count(changed)} of ${counted(matched, 'user')}`;
}

function formatTally(text: string, rest: readonly (readonly [users: number, what: string])[]): string {
  const parts = rest.flatMap(([users, what]) => (users > 0 ? [`${count(users)} ${what}`] : []));
  return `${[text, ...(parts.length > 0 ? [parts.join(', ')] : [])].join(': ')}.`;
}

/** Every user: first those who would fail, last those who stay as they are. */
export function previewRows(report: Report): OutcomeRow[] {
  return [
    ...failureRows(report, 'would fail'),
    ...changeRows(report),
    ...report.successItems
      .filter((item) => !isChange(item))
      .map((item): OutcomeRow => [nameOf(item), 'unchanged', '']),
  ];
}

function changeRows({ successItems }: Report): OutcomeRow[] {
  return successItems
    .filter(isChange)
    .map(
      (item): OutcomeRow => [
        nameOf(item),
        'would change',
        item.effect ? formatFields(item.effect.kind, item.effect.fields) : '',
      ],
    );
}

export function failureRows({ failedItems }: Report, outcome = 'failed'): OutcomeRow[] {
  return failedItems.map(
    ({ payload, error }): OutcomeRow => [payload.employeeID ?? '', outcome, error.reason ?? error.detail],
  );
}

function nameOf({ payload, response }: Success): string {
  return payload.employeeID ?? response.serial;
}

export interface Examples {
  readonly rows: readonly OutcomeRow[];
  /** How many users are not among them. */
  readonly omitted: number;
}

const examplesMax = 5;

/** A few users of each outcome that matters for a decision. */
export function examplesOf(report: Report): Examples {
  const rows = [failureRows(report, 'would fail'), changeRows(report)];
  const shown = rows.flatMap((each) => each.slice(0, examplesMax));
  return { rows: shown, omitted: rows.flat().length - shown.length };
}

/** For scripts. A preview has no call. */
export function asJson(callId: string | null, report: Report) {
  return {
    callId,
    ...tallyOf(report),
    outcomes: [
      ...report.successItems.map(({ payload, response, effect }) => ({
        ...payload,
        serial: response.serial,
        ok: true,
        effect,
      })),
      ...report.failedItems.map(({ payload, error }) => ({ ...payload, ok: false, error })),
    ],
  };
}
