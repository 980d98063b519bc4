import { openTable, type Row, type Table, TableError } from '@rollcall/sheets';
import { type Format, fileRowsMax } from '../state/source.js';
import type { FromWorker, ToWorker } from './read-source.js';

/** Small enough that the page receives a message without a pause. */
const rowsPerMessage = 250;

const page = self as unknown as { postMessage(message: FromWorker): void };

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  read(data).catch((error: unknown) => {
    const failure = error instanceof TableError ? error.problem : ({ code: 'UNREADABLE' } as const);
    page.postMessage({ type: 'failed', failure });
  });
};

async function read({ source: { content }, options }: ToWorker): Promise<void> {
  const bytes = typeof content === 'string' ? undefined : countedBytes(content);
  const table = await openTable(bytes?.chunks ?? (content as string), { ...options, rowsMax: fileRowsMax });
  let rows: Row[] = [];
  const post = () => page.postMessage({ type: 'rows', rows, share: bytes?.share() });
  for await (const row of table.rows) {
    rows.push(row);
    if (rows.length < rowsPerMessage) continue;
    post();
    rows = [];
  }
  post();
  page.postMessage({ type: 'done', format: formatOf(table) });
}

function formatOf({
  format,
  encoding,
  separator,
  sheet,
  sheets,
  headingRow,
  headings,
  warnings,
}: Table): Format {
  return { format, encoding, separator, sheet, sheets, headingRow, headings, warnings };
}

/** Reads a file and tracks the share that has been read. */
function countedBytes(file: Blob): { chunks: AsyncIterable<Uint8Array>; share: () => number } {
  let read = 0;
  async function* chunks() {
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      read += next.value.length;
      yield next.value;
    }
  }
  return { chunks: chunks(), share: () => (file.size === 0 ? 1 : read / file.size) };
}
