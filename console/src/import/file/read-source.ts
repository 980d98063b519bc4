import type { Row, RowNote } from '@rollcall/sheets';
import { noRows, type Rows } from '../state/rows.js';
import type { Format, ReadFailure, ReadOptions, Source } from '../state/source.js';

export interface ToWorker {
  readonly source: Source;
  readonly options: ReadOptions;
}

export type FromWorker =
  | { readonly type: 'rows'; readonly rows: readonly Row[]; readonly share: number | undefined }
  | { readonly type: 'done'; readonly format: Format }
  | { readonly type: 'failed'; readonly failure: ReadFailure };

export interface ReadEvents {
  progress(rows: number, share: number | undefined): void;
  done(rows: Rows, format: Format): void;
  failed(failure: ReadFailure): void;
}

/** Reads in a worker, so that the page stays responsive. Returns a function that stops it. */
export function readSource(source: Source, options: ReadOptions, events: ReadEvents): () => void {
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' });
  const numbers: number[] = [];
  const cells: (readonly string[])[] = [];
  const notesByRow = new Map<number, readonly RowNote[]>();
  const end = (report: () => void) => {
    worker.terminate();
    report();
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'rows') {
      for (const row of data.rows) {
        if (row.notes) notesByRow.set(cells.length, row.notes);
        numbers.push(row.number);
        cells.push(row.cells);
      }
      events.progress(cells.length, data.share);
    } else if (data.type === 'done') {
      end(() => events.done({ ...noRows, numbers, cells, notes: notesByRow }, data.format));
    } else end(() => events.failed(data.failure));
  };
  worker.onerror = () => end(() => events.failed({ code: 'UNREADABLE' }));
  worker.postMessage({ source, options } satisfies ToWorker);
  return () => worker.terminate();
}
