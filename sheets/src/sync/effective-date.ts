import { parseDate } from '../dates.js';
import type { Heading } from '../headings.js';
import type { Row } from '../row.js';
import { uncertaintyText } from '../row-problems.js';
import { uncertaintyOfType } from '../uncertain.js';
import type { SyncProblem } from './rows.js';

/** When a row is to take effect: a day, such as 2026-12-31, or undefined for at once. */
export type EffectiveDate =
  | { readonly date: string | undefined; readonly problem?: undefined }
  | { readonly problem: SyncProblem };

/** Reads the day on which a row is to take effect from a column. */
export function readEffectiveDate(row: Row, column: number, headings: readonly Heading[]): EffectiveDate {
  const text = row.cells[column]?.trim() ?? '';
  const uncertainty = uncertaintyOfType(row, [column], 'date');
  if (text === '' && uncertainty === undefined) return { date: undefined };
  const date = uncertainty === undefined ? parseDate(text) : undefined;
  if (date !== undefined) return { date };
  const reason =
    uncertainty === undefined || uncertainty === 'ERROR'
      ? `"${text}" is not a date such as 2026-12-31 or 31.12.2026.`
      : uncertaintyText(uncertainty, text);
  const name = headings[column]?.name ?? 'effectiveDate';
  return { problem: { code: 'EFFECTIVE_DATE_INVALID', detail: `"${name}": ${reason}` } };
}
