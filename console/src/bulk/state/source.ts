import type { Encoding, Separator, Table, TableProblem } from '@rollcall/sheets';

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
export type Format = Omit<Table, 'rows' | 'close'>;

export type ReadFailure = TableProblem | { readonly code: 'UNREADABLE' };
