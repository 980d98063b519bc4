import pg from 'pg';
import type { Executor } from '../database.js';

/** A `COPY … TO STDOUT`. A subclass of the driver's own query, because others are refused on pipelined connections. */
class CopyOut extends pg.Query {
  readonly lines: Buffer[] = [];

  /** Called by the driver, whose types omit it. One message is one row; its bytes are only valid during the call. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.lines.push(Buffer.from(chunk));
  }
}

/** Returns the rows in COPY's text format, each with its line end. The caller limits how many there can be. */
export function copyOut(executor: Executor, select: string): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const query = new CopyOut(`COPY (${select}) TO STDOUT`, (error: Error | undefined) =>
      error ? reject(error) : resolve(query.lines),
    );
    Promise.resolve(executor.query(query)).catch(reject);
  });
}
