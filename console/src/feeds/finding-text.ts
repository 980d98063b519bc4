import { fieldLabel } from '../components/error-message.js';
import type { Run } from '../components/feeds.js';
import { formatDate, formatList, formatNumber, formatPercent } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';

type Finding = Run['findings'][number];

/** What a finding may say beside its code. A newer service may say something else. */
interface Facts {
  readonly actual?: number;
  readonly of?: number;
  readonly limit?: number;
  readonly source?: string;
  readonly usual?: number;
  readonly highest?: number;
  readonly isFirstRun?: boolean;
  readonly missing?: number;
  readonly field?: string;
  readonly fields?: readonly { readonly field: string; readonly actual: number }[];
  readonly column?: { readonly number: number; readonly heading: string };
  readonly at?: string;
}

export interface Told {
  readonly text: string;
  /** The English text of the service, because the console doesn't know this kind. */
  readonly isForeign: boolean;
}

/** A finding in the language of the user. */
export function findingText(finding: Finding): Told {
  // Codes say which facts there are; sentences whose facts are missing are left out.
  const text = knownText(finding.code, finding as Facts);
  return text === undefined ? { text: finding.text, isForeign: true } : { text, isForeign: false };
}

function knownText(code: string, facts: Facts): string | undefined {
  const copy = feedsCopy.findings;
  const { actual = 0, of = 0, at, fields = [] } = facts;
  switch (code) {
    case 'FILE_SEEN_BEFORE':
      return at === undefined ? undefined : copy.seenBefore(formatDate(at));
    case 'CHANGES_REVERTED':
      return copy.reverted(actual, of);
    case 'ROWS_BELOW':
    case 'ROWS_ABOVE':
      return rowsText(code, facts);
    case 'COLUMNS_MOVED': {
      const least = Math.min(...fields.map((field) => field.actual));
      return copy.moved(formatList(fields.map(({ field }) => fieldLabel(field))), share(least, of));
    }
    case 'FIELD_CHANGES':
    case 'FIELD_EMPTIED':
      return fieldText(code, facts);
    case 'CHANGED_SINCE_APPROVAL':
      return copy.changedSince;
    default:
      return Object.hasOwn(copy.counts, code)
        ? countText(code as keyof typeof copy.counts, facts)
        : undefined;
  }
}

function rowsText(
  code: 'ROWS_BELOW' | 'ROWS_ABOVE',
  { actual = 0, limit = 0, source, usual }: Facts,
): string {
  const copy = feedsCopy.findings;
  const bound = code === 'ROWS_BELOW' ? copy.rowsAtLeast : copy.rowsAtMost;
  return sentences(
    copy.rows(actual),
    usual !== undefined && copy.rowsLast(usual),
    (source === 'explicit' ? copy.limitSet : bound)(limit),
  );
}

function countText(code: keyof typeof feedsCopy.findings.counts, facts: Facts): string {
  const copy = feedsCopy.findings;
  const { actual = 0, of = 0, missing = 0, isFirstRun, limit } = facts;
  const isFirstDeactivation = code === 'DEACTIVATIONS' && isFirstRun === true && limit === 0;
  return sentences(
    copy.counts[code](actual, share(actual, of), of),
    missing > 0 && (missing === actual ? copy.missingAll(actual) : copy.missing(missing)),
    !isFirstDeactivation && usualText(facts, (value) => formatNumber(Math.round(value))),
    isFirstDeactivation ? copy.firstRun : limitText(facts),
  );
}

function fieldText(code: 'FIELD_CHANGES' | 'FIELD_EMPTIED', facts: Facts): string {
  const copy = feedsCopy.findings;
  const { field = '', actual = 0, of = 0, column } = facts;
  return sentences(
    copy.fields[code](fieldLabel(field), share(actual, of), actual, of),
    usualText(facts, (value) => share(value, of)),
    limitText(facts),
    column && capitalized(copy.columns[code](columnText(column))),
  );
}

function usualText({ usual, highest }: Facts, text: (value: number) => string): string | undefined {
  const copy = feedsCopy.findings;
  if (usual === undefined || highest === undefined) return undefined;
  return highest === 0 ? copy.usuallyNone : copy.usual(text(usual), text(highest));
}

function limitText({ limit, source }: Facts): string | undefined {
  const copy = feedsCopy.findings;
  return limit === undefined ? undefined : (source === 'explicit' ? copy.limitSet : copy.limit)(limit);
}

function columnText({ number, heading }: NonNullable<Facts['column']>): string {
  const copy = feedsCopy.findings;
  return heading === '' ? copy.column(number) : copy.columnNamed(number, heading);
}

const smallestShare = 0.001;

function share(part: number, whole: number): string {
  const value = whole === 0 ? 0 : part / whole;
  return value > 0 && value < smallestShare
    ? feedsCopy.findings.lessThan(formatPercent(smallestShare))
    : formatPercent(value);
}

function sentences(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => part).join(' ');
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
