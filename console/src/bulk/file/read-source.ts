import type { Row } from '@rollcall/sheets';
import { emptyRows, type Rows } from '../state/rows.js';
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

/** Reads in a worker, so that the page stays free. Gives back what stops it. */
export function readSource(source: Source, options: ReadOptions, events: ReadEvents): () => void {
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' });
  const rows = emptyRows();
  const end = (tell: () => void) => {
    worker.terminate();
    tell();
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'rows') {
      for (const { number, cells, notes } of data.rows) {
        if (notes) rows.notes.set(rows.cells.length, notes);
        rows.numbers.push(number);
        rows.cells.push(cells as string[]);
      }
      events.progress(rows.cells.length, data.share);
    } else if (data.type === 'done') end(() => events.done(rows, data.format));
    else end(() => events.failed(data.failure));
  };
  worker.onerror = () => end(() => events.failed({ code: 'UNREADABLE' }));
  worker.postMessage({ source, options } satisfies ToWorker);
  return () => worker.terminate();
}
