import type { Schemas } from '@rollcall/client';
import { fieldLabel } from '../components/error-message.js';
import type { Run } from '../components/feeds.js';
import { errorsCopy } from '../copy/copy.js';
import { formatBytes, formatNumber } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import type { Told } from './finding-text.js';

type Problem = NonNullable<Run['problem']>;

/** What a problem may say beside its code. */
interface Facts {
  readonly missing?: readonly MissingColumn[];
  readonly bytesMax?: number;
  readonly names?: number;
  readonly count?: number;
  readonly rows?: readonly number[];
  readonly source?: { readonly code: string };
}

interface MissingColumn {
  readonly code: string;
  readonly field: string;
  readonly heading: string;
  readonly nearest?: string;
  readonly columns?: readonly unknown[];
}

/** Why a run failed, and what to do next, in the language of the user. */
export function problemText(problem: Problem): Told {
  const text = knownText(problem.code, problem as Facts); // codes say which facts there are
  return text === undefined ? { text: problem.text, isForeign: true } : { text, isForeign: false };
}

function knownText(
  code: string,
  { missing, bytesMax, names, count, rows = [], source }: Facts,
): string | undefined {
  const copy = feedsCopy.problems;
  if (code === 'COLUMNS_MISSING' && missing) return [...missing.map(missingText), copy.columnsNext].join(' ');
  if (code === 'FILE_TOO_LARGE' && bytesMax !== undefined) return copy.tooLarge(formatBytes(bytesMax));
  if (code === 'NAMES_UNKNOWN' && names !== undefined) return copy.namesUnknown(names);
  if (code === 'IDS_UNREADABLE' && count !== undefined) return idsText(count, rows);
  if (code === 'SOURCE_FAILED' && source) {
    const cause = sourceCauses[source.code];
    return cause && copy.sources[cause];
  }
  return copy.codes[code];
}

/** The rows are the first ones. */
function idsText(count: number, rows: readonly number[]): string {
  const copy = feedsCopy.problems;
  const places = rows.map(formatNumber);
  const all = count > rows.length ? [...places, '…'] : places;
  return [copy.idsUnreadable(count), ...(rows.length > 0 ? [copy.rowsConcerned(all.join(', '))] : [])].join(
    ' ',
  );
}

function missingText({ code, heading, field, nearest, columns = [] }: MissingColumn): string {
  const copy = feedsCopy.problems;
  if (code === 'COLUMN_AMBIGUOUS') return copy.columnAmbiguous(heading, columns.length);
  const what = copy.columnMissing(heading, fieldName(field));
  return nearest === undefined ? what : `${what} ${copy.columnNearest(nearest)}`;
}

/** The name of a field of a user, or of what else a column can set. */
export function fieldName(field: string): string {
  return feedsCopy.settings.fields[field] ?? fieldLabel(field);
}

type RowProblem = NonNullable<Schemas['FeedRow']['problem']>;

/** Why a row failed or was left alone, in the language of the user as far as it is known. */
export function rowProblem({ code, detail }: RowProblem): Told[] {
  const codes: Readonly<Record<string, string>> = errorsCopy.codes;
  const text = feedsCopy.rows.problems[code] ?? (Object.hasOwn(codes, code) ? codes[code] : undefined);
  const own = text === undefined ? [] : [{ text, isForeign: false }];
  return own.length > 0 && !isGeneral.has(code) ? own : [...own, { text: detail, isForeign: true }];
}

/** Only the text of the service says which field or which rows they are about. */
const isGeneral: ReadonlySet<string> = new Set([
  ...['FIELD_INVALID', 'FIELD_REQUIRED', 'EMPLOYEE_ID_TWICE', 'NAME_UNKNOWN', 'VALUE_UNCERTAIN'],
  ...['CELL_IS_ERROR', 'CELLS_STRAY', 'USER_FIELD_INVALID', 'USER_FIELD_REQUIRED', 'USER_FIELD_NOT_ACCEPTED'],
]);

type SourceCause = keyof typeof feedsCopy.problems.sources;

/** What people do about the many ways in which a source can fail. */
const sourceCauses: Readonly<Record<string, SourceCause>> = {
  host_unknown: 'unreachable',
  lookup_failed: 'unreachable',
  unreachable: 'unreachable',
  connection_closed: 'unreachable',
  timed_out: 'unreachable',
  stopped: 'unreachable',
  authentication_failed: 'refused',
  access_denied: 'refused',
  invalid_private_key: 'refused',
  secret_missing: 'refused',
  container_missing: 'missing',
  not_a_file: 'missing',
  file_unreadable: 'missing',
  file_empty: 'incomplete',
  changed_while_read: 'incomplete',
  ended_early: 'incomplete',
  modified_recently: 'incomplete',
  corrupt_encoding: 'incomplete',
  certificate_not_trusted: 'untrusted',
  tls_failed: 'untrusted',
  host_key_unknown: 'untrusted',
  host_key_changed: 'untrusted',
  address_refused: 'settings',
  host_not_allowed: 'settings',
  insecure_url: 'settings',
  invalid_url: 'settings',
  invalid_path: 'settings',
  invalid_name: 'reply',
  unknown_encoding: 'reply',
  length_unknown: 'reply',
  ssh_failed: 'reply',
  invalid_response: 'reply',
  redirect_refused: 'reply',
  http_status: 'reply',
  too_large: 'size',
  too_many_files: 'size',
};
