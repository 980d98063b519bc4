import { BlobReader, configure, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { streamed } from '../bytes.js';
import { TableError } from '../problems.js';
import { zipConfiguration } from './zip-configuration.js';

/**
 * Reads files out of a zip archive, inflating them as they are read. The sizes that an archive claims only serve to
 * refuse it early: the limits apply to what is actually inflated.
 */
export interface Archive {
  readonly names: readonly string[];
  /**
   * Can be read more than once; only the first time counts toward the limit of the archive. Parts that are held in memory
   * have a limit of their own.
   */
  read(name: string, partBytesMax?: number): AsyncGenerator<Uint8Array>;
}

configure(zipConfiguration);

/** For each part that is held in memory. The styles of a large workbook have 20 MB. */
export const smallPartBytesMax = 67_108_864;

/** A workbook has dozens of files, or thousands if it has pictures. */
const defaultEntriesMax = 20_000;
/**
 * Sheets of users inflate to 5 to 30 times their size; deflate allows for 1,032 times. A file beyond this ratio was
 * made to be large, and is refused before it is.
 */
const inflatedRatioMax = 200;
const inflatedSmallBytes = 16_777_216;
const localHeaderBytes = 30;

/** Undefined if the file is not a zip archive, or one in which other programs may find different files. */
export async function openArchive(
  file: Blob,
  inflatedBytesMax: number,
  entriesMax = defaultEntriesMax,
): Promise<Archive | undefined> {
  const entries = await readEntries(file, entriesMax);
  if (entries === undefined || overlap([...entries.values()])) return undefined;
  /** How much of each file was inflated, and of all of them. */
  const inflatedBytes = new Map<FileEntry, number>();
  let total = 0;

  /** Throws if this many bytes of a file are too many; bytes that were counted before are not counted again. */
  function allow(entry: FileEntry, bytes: number, isInflated: boolean, partBytesMax: number): void {
    const ratioMax = inflatedSmallBytes + entry.compressedSize * inflatedRatioMax;
    const max = Math.min(inflatedBytesMax, ratioMax, partBytesMax);
    const more = Math.max(bytes - (inflatedBytes.get(entry) ?? 0), 0);
    if (bytes > max) throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max });
    if (total + more > inflatedBytesMax) {
      throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max: inflatedBytesMax });
    }
    if (!isInflated || more === 0) return;
    total += more;
    inflatedBytes.set(entry, bytes);
  }

  return {
    names: [...entries.keys()],
    async *read(name, partBytesMax = Infinity) {
      const entry = entries.get(partName(name));
      if (entry === undefined) return;
      allow(entry, entry.uncompressedSize, false, partBytesMax);
      let bytes = 0;
      for await (const chunk of inflated(entry)) {
        bytes += chunk.length;
        allow(entry, bytes, true, partBytesMax);
        yield chunk;
      }
    },
  };
}

async function readEntries(
  file: Blob,
  entriesMax: number,
): Promise<ReadonlyMap<string, FileEntry> | undefined> {
  const reader = new ZipReader(new BlobReader(file), {
    checkCrc32: true,
    // If a local name differs from the one in the directory, other programs may read another workbook.
    checkLocalFilename: true,
    filenameValidation: 'tolerant', // no file is written to a disk
  });
  const entries = new Map<string, FileEntry>();
  let count = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      const name = partName(entry.filename);
      count += 1;
      if (count > entriesMax || entries.has(name)) return undefined;
      if (!entry.directory) entries.set(name, entry);
    }
  } catch {
    return undefined;
  }
  return entries;
}

/** Overlapping files are how a small archive inflates to a huge size. */
function overlap(entries: readonly FileEntry[]): boolean {
  let end = 0;
  for (const { offset, rawFilename, compressedSize } of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (offset < end) return true;
    end = offset + localHeaderBytes + rawFilename.length + compressedSize;
  }
  return false;
}

/** Some writers use backslashes, a leading slash, or a different case than the references in the file. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

async function* inflated(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const damaged = new TableError({ code: 'WORKBOOK_DAMAGED', part: partName(entry.filename) });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  const inflating = entry.getData(writable, { signal: stop.signal });
  // If it fails before it writes anything, the reader would wait forever.
  inflating.catch((error) => writable.abort(error)).catch(() => {});
  const chunks = streamed(readable);
  let left = entry.uncompressedSize;
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        throw damaged;
      });
      if (next.done) break;
      left -= next.value.length;
      if (left < 0) throw damaged;
      yield next.value;
    }
    await inflating.catch(() => {
      throw damaged;
    });
    if (left > 0) throw damaged;
  } finally {
    stop.abort();
    await chunks.return(undefined);
  }
}
