import { streamed } from '../bytes.js';
import { TableError } from '../problems.js';
import { zipConfiguration } from './zip-configuration.js';

/** A text file that is compressed as it is made. */
export interface TextFile {
  readonly name: string;
  readonly texts: Iterable<string> | AsyncIterable<string>;
}

const options = {
  dataDescriptor: true, // sizes are not known in advance
  extendedTimestamp: false,
  lastModDate: new Date(1980, 0, 1), // the same rows make the same bytes
};
/** What 32 bits can count. Not every spreadsheet program reads archives with 64 bits. */
const archiveBytesMax = 0xfffffffe;

/** Compresses files one after the other into a zip archive. A file is requested when the one before it is done. */
export async function* zipped(
  files: AsyncIterable<TextFile>,
  bytesMax: number = archiveBytesMax,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writing = writeFiles(files, writable, bytesMax);
  writing.catch((error) => writable.abort(error)).catch(() => {}); // or the reader would wait for more
  let bytes = 0;
  try {
    for await (const chunk of streamed(readable)) {
      bytes += chunk.length;
      checkBytes(bytes, bytesMax);
      yield chunk;
    }
    await writing;
  } finally {
    await writing.catch(() => {}); // until it has let go of the texts
  }
}

async function writeFiles(
  files: AsyncIterable<TextFile>,
  writable: WritableStream<Uint8Array>,
  bytesMax: number,
): Promise<void> {
  // Loaded when needed: most programs that import this package write no workbook.
  const { configure, ZipWriter } = await import('@zip.js/zip.js/lib/zip-core-custom.js');
  configure(zipConfiguration);
  const writer = new ZipWriter(writable, options);
  for await (const { name, texts } of files) {
    const chunks = encoded(texts, bytesMax);
    try {
      await writer.add(name, streamOf(chunks));
    } finally {
      await chunks.return(undefined);
    }
  }
  await writer.close();
}

/** A chunk is made when it is asked for. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* encoded(texts: TextFile['texts'], bytesMax: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let bytes = 0;
  for await (const text of texts) {
    const chunk = encoder.encode(text);
    bytes += chunk.length;
    checkBytes(bytes, bytesMax);
    yield chunk;
  }
}

function checkBytes(bytes: number, max: number): void {
  if (bytes > max) throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max });
}
