import type { Schemas } from '#client';
import type { Printed } from '../output.js';
import { formatTime } from '../terminal/format-time.js';
import { count, counted } from '../terminal/numbers.js';
import { shellQuoted } from '../terminal/shell-quoted.js';
import { sanitize } from '../terminal/text-width.js';
import { filterNames, timeFilters, type UserFilters } from './filters.js';

export type UserTotal = Schemas['UserTotal'];

/** "3 users", "50 of 1,204 users", "50 of about 41,000 users" */
export function formatMatches({ printed, isMore }: Printed, total: UserTotal | undefined): string {
  if (!isMore) return counted(printed, 'user');
  // An estimate can be too low, and users can be removed while the list is printed.
  if (!total || total.count <= printed) return `The first ${counted(printed, 'user')}`;
  return `${count(printed)} of ${total.isExact ? '' : 'about '}${counted(total.count, 'user')}`;
}

/** Options with which users are found, to paste. */
export function formatSuggestions(searches: readonly string[]): string {
  return `Did you mean ${searches.map((search) => `--search ${shellQuoted(sanitize(search))}`).join(' or ')}?`;
}

export const maybeMissing =
  'Users who have changed recently may be missing: the index has to catch up with many changes. Try again in a moment.';

/** Says which filters found nobody, and what to try next. */
export function formatNoMatches(filters: UserFilters): string {
  const used = filterNames.filter((name) => filters[name] !== undefined);
  if (used.length === 0) return 'There are no users yet. To create one, see: rollcall users create --help.';
  const shown = used.map((name) => formatFilter(name, filters[name])).join(' ');
  return `No users match ${shown}.\n${suggestion(filters, used.length)}`;
}

function suggestion(filters: UserFilters, usedCount: number): string {
  const hint = hintFor(filters);
  if (usedCount === 1) return hint ?? 'To include all users, remove the filter.';
  return `${hint === undefined ? '' : `${hint} `}All filters must match, so try removing one.`;
}

function hintFor(filters: UserFilters): string | undefined {
  if (filters.search !== undefined) return 'Try fewer or shorter words.';
  if (filters.employeeId ?? filters.username) return 'To find users by part of a value, use --search.';
  if (filters.tag ?? filters.organization)
    return 'Tags and organizations must match exactly, including case.';
  return timeFilters.some((name) => filters[name] !== undefined) ? 'Try a longer period.' : undefined;
}

const valuesShownMax = 5;

/** As it could be typed: "--tag T1 --tag T2". */
function formatFilter(name: keyof UserFilters, value: UserFilters[keyof UserFilters]): string {
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true && name !== 'active') return flag;
  const values = [value].flat().map((each) => `${flag} ${shellQuoted(formatValue(name, String(each)))}`);
  const omitted = values.length - valuesShownMax;
  return [...values.slice(0, valuesShownMax), ...(omitted > 0 ? [`(and ${omitted} more)`] : [])].join(' ');
}

function formatValue(name: keyof UserFilters, value: string): string {
  return (timeFilters as readonly string[]).includes(name) ? formatTime(value) : sanitize(value);
}
