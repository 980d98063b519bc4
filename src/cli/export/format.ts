import { extname } from 'node:path';
import { type PlainField, plainFields, sentFields } from '../../contract/user-values.js';
import type { SeparatorName } from '../arguments.js';
import { CommandProblem } from '../problem.js';

export const formats = ['csv', 'xlsx', 'ndjson'] as const;

export type Format = (typeof formats)[number];

export interface FormatOptions {
  readonly format?: Format | undefined;
  readonly output?: string | undefined;
  readonly separator?: SeparatorName | undefined;
  readonly bom?: boolean | undefined;
  readonly raw?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const formatOfExtension: Readonly<Record<string, Format>> = {
  '': 'csv',
  '.csv': 'csv',
  '.xlsx': 'xlsx',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

export function formatOf(options: FormatOptions, isTerminal: boolean): Format {
  const format = chosen(options);
  if (format === 'xlsx' && options.output === undefined && isTerminal) {
    throw usageError('A workbook cannot be printed to a terminal. Use --output users.xlsx.');
  }
  if (format !== 'csv' && (options.separator !== undefined || options.bom || options.raw)) {
    throw usageError(`--separator, --bom and --raw only apply to CSV, but the format is ${format}.`);
  }
  return format;
}

function chosen({ format, output, json }: FormatOptions): Format {
  if (output === undefined && json) {
    if (format === undefined || format === 'ndjson') return 'ndjson';
    throw usageError(`--json conflicts with --format ${format}. Remove one of them, or use --output.`);
  }
  if (format) return format;
  const extension = extname(output ?? '').toLowerCase();
  const known = formatOfExtension[extension];
  if (known) return known;
  throw usageError(
    `${output}: unknown file extension ${extension}. Use --format ${formats.join(', --format ')}, or another file name.`,
  );
}

function usageError(message: string): CommandProblem {
  return new CommandProblem('wrongUse', message);
}

/** What the service sets itself, with the width of the column in a workbook, in characters. */
export const ownWidths = { serial: 38, createdAt: 26, updatedAt: 26 } as const;

export type FieldColumn = PlainField | keyof typeof ownWidths;

/** The columns that `rollcall sync` accepts, besides the attributes. */
export const defaultColumns: readonly FieldColumn[] = sentFields;

export const columns: readonly FieldColumn[] = [...plainFields, ...(Object.keys(ownWidths) as FieldColumn[])];
