import type { Encoding, Separator, Table, TableProblem } from '@rollcall/sheets';

/** For larger files there is `rollcall sync`. */
export const fileRowsMax = 100_000;

/** What the service keeps of a file name or a note. */
export const labelCharactersMax = 200;

/** A file, or text from the clipboard. */
export interface Source {
  readonly name: string;
  readonly content: Blob | string;
}

/** Anything left out is detected. */
export interface ReadOptions {
  readonly encoding?: Encoding;
  readonly separator?: Separator;
  readonly sheet?: string;
  readonly headingRow?: number;
}

/** How the file was read. */
export type Format = Omit<Table, 'rows' | 'close'>;

export type ReadFailure =
  | TableProblem
  | { readonly code: 'UNREADABLE' }
  /** The file is fine, but not what its columns can mean. */
  | { readonly code: 'NO_ATTRIBUTES'; readonly error: unknown };
