import { extname } from 'node:path';
import { csvLine } from '#sheets';
import type { FeedRowKind } from '../contract/enums.js';
import { type Mode, outcomeText } from './outcome-text.js';
import { CommandProblem } from './problem.js';

export type ReportFormat = 'csv' | 'json' | 'ndjson';

/** What became of a row of a file, or of a user who is missing from it. */
export interface ReportedRow {
  readonly row: number | null;
  readonly employeeID: string | null;
  readonly kind: FeedRowKind;
  readonly changed?: readonly string[] | undefined;
  readonly kept?: readonly string[] | undefined;
  readonly serial?: string | null | undefined;
  readonly problem?: { readonly code: string; readonly detail: string } | null | undefined;
}

export function reportFormat(path: string): ReportFormat {
  const format = extname(path).slice(1).toLowerCase();
  if (format === 'csv' || format === 'json' || format === 'ndjson') return format;
  throw new CommandProblem('wrongUse', `--report ${path}: the file name must end in .csv, .json or .ndjson.`);
}

interface ReportShape {
  readonly begin: string;
  entry(row: ReportedRow, mode: Mode, isFirst: boolean): string;
  end(entries: number): string;
}

export const reportShapes: Readonly<Record<ReportFormat, ReportShape>> = {
  csv: {
    begin: csvLine(['row', 'employeeID', 'outcome', 'changed', 'serial', 'error', 'detail', 'kept']),
    entry: ({ row, employeeID, kind, changed, kept, serial, problem }, mode) =>
      csvLine([
        row,
        employeeID,
        outcomeText(kind, mode),
        changed?.join(' '),
        serial,
        problem?.code,
        problem?.detail,
        kept?.join(' '),
      ]),
    end: () => '',
  },
  json: {
    begin: '[',
    entry: (row, mode, isFirst) => `${isFirst ? '' : ','}\n${asJson(row, mode)}`,
    end: (entries) => (entries === 0 ? ']\n' : '\n]\n'),
  },
  ndjson: { begin: '', entry: (row, mode) => `${asJson(row, mode)}\n`, end: () => '' },
};

function asJson({ row, employeeID, kind, changed, kept, serial, problem }: ReportedRow, mode: Mode): string {
  return JSON.stringify({
    row,
    employeeID,
    outcome: outcomeText(kind, mode),
    changed,
    kept,
    serial,
    error: problem ?? undefined,
  });
}
