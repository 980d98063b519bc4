import { extname } from 'node:path';
import { CommandProblem } from '../problem.js';
import type { SeparatorName } from '../separators.js';

export const formats = ['csv', 'xlsx', 'ndjson'] as const;
export type Format = (typeof formats)[number];

export interface FormatOptions {
  readonly format?: Format | undefined;
  readonly output?: string | undefined;
  readonly separator?: SeparatorName | undefined;
  readonly bom?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const formatOfEnding: Readonly<Record<string, Format>> = {
  '': 'csv',
  '.csv': 'csv',
  '.xlsx': 'xlsx',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** What the options come to, unless they contradict each other. */
export function formatOf(options: FormatOptions, isTerminal: boolean): Format {
  const format = chosen(options);
  if (format === 'xlsx' && options.output === undefined && isTerminal) {
    throw wrong('A workbook is nothing to show on a terminal. Say --output people.xlsx.');
  }
  if (format !== 'csv' && (options.separator !== undefined || options.bom)) {
    throw wrong(`--separator and --bom are for CSV, and the format is ${format}.`);
  }
  return format;
}

function chosen({ format, output, json }: FormatOptions): Format {
  if (output === undefined && json) {
    if (format === undefined || format === 'ndjson') return 'ndjson';
    throw wrong(`--json and --format ${format} contradict each other. Leave one away, or say --output.`);
  }
  if (format) return format;
  const ending = extname(output ?? '').toLowerCase();
  const known = formatOfEnding[ending];
  if (known) return known;
  throw wrong(
    `${output}: no format is known by ${ending}. Say --format ${formats.join(', --format ')}, or another name.`,
  );
}

function wrong(message: string): CommandProblem {
  return new CommandProblem('wrongUse', message);
}
