import type { HttpOptions } from './http-get.js';
import type { ReadDeadline, ReadTimeouts } from './read-deadline.js';

export interface SourceOptions extends HttpOptions {
  readonly timeouts: ReadTimeouts;
  /** Of a file, after decompression. */
  readonly fileMaxBytes: number;
  /** What paths of folders are relative to. Without it, no folder can be read. */
  readonly folderRoot: string | undefined;
  /** A file that was modified later than this many seconds ago may still be written. */
  readonly folderSettleSeconds: number;
  /** The clock. */
  readonly now: () => number;
}

/** What it takes to read one file. */
export interface SourceContext extends SourceOptions {
  readonly deadline: ReadDeadline;
}
