import type { Encoding, Heading, Separator, TableFormat, TableProblem, TableWarning } from '@rollcall/sheets';

/** More are refused. Beyond this a page in a browser is the wrong tool, and the command line the right one. */
export const fileRowsMax = 100_000;

/** What somebody dropped, chose or pasted. */
export interface Source {
  readonly name: string;
  readonly content: Blob | string;
}

/** How to read it; what is left out is guessed. */
export interface ReadOptions {
  readonly encoding?: Encoding;
  readonly separator?: Separator;
  readonly sheet?: string;
  readonly headingRow?: number;
}

/** How it was read. */
export interface Format {
  readonly format: TableFormat;
  readonly encoding: Encoding | undefined;
  readonly separator: Separator | undefined;
  readonly sheet: string | undefined;
  readonly sheets: readonly string[];
  readonly headingRow: number;
  readonly headings: readonly Heading[];
  readonly warnings: readonly TableWarning[];
}

export type ReadFailure = TableProblem | { readonly code: 'UNREADABLE' };
