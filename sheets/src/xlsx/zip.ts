import { TableError } from '../problems.js';
import { through } from '../through.js';
import { checksum } from './checksum.js';

/**
 * Reads single files out of a zip archive, unpacking them as they are read with what browsers and Node.js bring along.
 * The sizes that an archive tells of itself are only good to refuse it early: the limits hold for what is really unpacked.
 */
export interface Archive {
  readonly names: readonly string[];
  /** Can be read more than once; only the first time counts toward the limit of the archive. */
  read(name: string): AsyncGenerator<Uint8Array>;
}

interface Entry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
  readonly nameBytes: number;
}

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50, end64: 0x06064b50 };
const endBytes = 22;
const end64Bytes = 56;
const locator64Bytes = 20;
const commentMaxBytes = 65_535;
/** Read at a time. Pieces of 64 KiB grow old before they are unpacked, and 40 MB of them lie about. */
const sliceBytes = 16_384;
/** In a field of 16 or 32 bits: the number is elsewhere, with 64 bits. */
const elsewhere = { short: 0xffff, long: 0xffffffff };

/** A workbook has some dozens of files, or some thousands if it has pictures. */
const entriesMax = 20_000;
const directoryMaxBytes = 8_388_608;
/**
 * Sheets of people unpack to 5 to 30 times their size, and to 1,032 times it at most. What goes beyond this is made to be
 * large, and is refused before it has become so.
 */
const unpackedRatioMax = 200;
const unpackedSmallBytes = 16_777_216;
const localHeaderBytes = 30;

export async function openArchive(file: Blob, unpackedBytesMax: number): Promise<Archive | undefined> {
  const directory = await findDirectory(file);
  if (directory === undefined) return undefined;
  if (directory.count > entriesMax || directory.bytes > directoryMaxBytes) return undefined;
  const entries = readEntries(await view(file, directory.offset, directory.bytes), directory.count);
  if (entries === undefined || overlap([...entries.values()])) return undefined;
  /** How much of each file was unpacked, and of all of them. */
  const unpackedBytes = new Map<string, number>();
  let total = 0;

  /** Throws if so many bytes of a file are too many; what was counted before is not counted again. */
  function allow({ name, packedBytes }: Entry, bytes: number, isDone: boolean): void {
    const before = unpackedBytes.get(name) ?? 0;
    const max = Math.min(unpackedBytesMax, unpackedSmallBytes + packedBytes * unpackedRatioMax);
    const more = Math.max(bytes - before, 0);
    if (bytes > max) throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max });
    if (total + more > unpackedBytesMax)
      throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max: unpackedBytesMax });
    if (!isDone || more === 0) return;
    total += more;
    unpackedBytes.set(name, bytes);
  }

  return {
    names: [...entries.keys()],
    async *read(name) {
      const entry = entries.get(partName(name));
      if (entry === undefined) return;
      allow(entry, entry.bytes, false);
      let bytes = 0;
      for await (const chunk of unpacked(file, entry)) {
        bytes += chunk.length;
        allow(entry, bytes, true);
        yield chunk;
      }
    },
  };
}

/** Files that share bytes are how a small archive is made to unpack to a huge one. */
function overlap(entries: readonly Entry[]): boolean {
  let end = 0;
  for (const { offset, nameBytes, packedBytes } of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (offset < end) return true;
    end = offset + localHeaderBytes + nameBytes + packedBytes;
  }
  return false;
}

/** Some writers use backslashes, a leading slash, or other capitals than the references in the file. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

async function findDirectory(
  file: Blob,
): Promise<{ offset: number; bytes: number; count: number } | undefined> {
  const tailStart = Math.max(0, file.size - endBytes - commentMaxBytes);
  const tail = await view(file, tailStart, file.size - tailStart);
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== signatures.end) continue;
    const found = {
      offset: tail.getUint32(at + 16, true),
      bytes: tail.getUint32(at + 12, true),
      count: tail.getUint16(at + 10, true),
    };
    const is64 =
      found.offset === elsewhere.long || found.bytes === elsewhere.long || found.count === elsewhere.short;
    if (!is64) return found;
    const locator = at - locator64Bytes;
    return locator < 0 ? undefined : findDirectory64(file, long(tail, locator + 8));
  }
  return undefined;
}

async function findDirectory64(file: Blob, offset: number): ReturnType<typeof findDirectory> {
  const end = await view(file, offset, end64Bytes);
  if (end.byteLength < end64Bytes || end.getUint32(0, true) !== signatures.end64) return undefined;
  return { offset: long(end, 48), bytes: long(end, 40), count: long(end, 32) };
}

function readEntries(directory: DataView, count: number): ReadonlyMap<string, Entry> | undefined {
  const entries = new Map<string, Entry>();
  let at = 0;
  for (let read = 0; read < count; read++) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== signatures.central)
      return undefined;
    const nameBytes = directory.getUint16(at + 28, true);
    const extraBytes = directory.getUint16(at + 30, true);
    const commentBytes = directory.getUint16(at + 32, true);
    const extraAt = at + 46 + nameBytes;
    const next = extraAt + extraBytes + commentBytes;
    if (next > directory.byteLength) return undefined;
    const name = partName(text(directory, at + 46, nameBytes));
    if (entries.has(name)) return undefined; // which of them counts is anybody's guess
    entries.set(name, {
      name,
      nameBytes,
      isEncrypted: (directory.getUint16(at + 8, true) & 1) === 1,
      method: directory.getUint16(at + 10, true),
      checksum: directory.getUint32(at + 16, true),
      ...sizes(directory, at, extraAt, extraAt + extraBytes),
    });
    at = next;
  }
  return entries;
}

/** Sizes and offset, each of which stands in the extra field with 64 bits if it does not fit. */
function sizes(
  directory: DataView,
  at: number,
  extraAt: number,
  extraEnd: number,
): Pick<Entry, 'packedBytes' | 'bytes' | 'offset'> {
  let wide = extraAt;
  while (wide + 4 <= extraEnd && directory.getUint16(wide, true) !== 1) {
    wide += 4 + directory.getUint16(wide + 2, true);
  }
  wide += 4;
  const number = (field: number): number => {
    const short = directory.getUint32(at + field, true);
    if (short !== elsewhere.long || wide + 8 > extraEnd) return short;
    wide += 8;
    return long(directory, wide - 8);
  };
  const bytes = number(24);
  const packedBytes = number(20);
  return { bytes, packedBytes, offset: number(42) };
}

async function* unpacked(file: Blob, entry: Entry): AsyncGenerator<Uint8Array> {
  const damaged = new TableError({ code: 'WORKBOOK_DAMAGED', part: entry.name });
  const headerBytes = localHeaderBytes + entry.nameBytes;
  const local = await view(file, entry.offset, headerBytes);
  if (local.byteLength < headerBytes || local.getUint32(0, true) !== signatures.local) throw damaged;
  if (entry.isEncrypted || (entry.method !== 0 && entry.method !== 8)) throw damaged;
  const [nameBytes, extraBytes] = [local.getUint16(26, true), local.getUint16(28, true)];
  // Another name in front of the bytes than in the directory: other programs may read another workbook.
  if (nameBytes !== entry.nameBytes || partName(text(local, localHeaderBytes, nameBytes)) !== entry.name)
    throw damaged;
  const start = entry.offset + headerBytes + extraBytes;
  const packed = sliced(file, start, start + entry.packedBytes);
  const chunks = entry.method === 0 ? packed : through(packed, new DecompressionStream('deflate-raw'));
  let left = entry.bytes;
  let sum = 0;
  try {
    for (;;) {
      const next = await chunks.next().catch(() => {
        throw damaged;
      });
      if (next.done) break;
      left -= next.value.length;
      if (left < 0) throw damaged;
      sum = checksum(next.value, sum);
      yield next.value;
    }
  } finally {
    await chunks.return(undefined);
  }
  if (left > 0 || sum !== entry.checksum) throw damaged;
}

async function* sliced(file: Blob, start: number, end: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = start; at < end; at += sliceBytes) {
    yield new Uint8Array(await file.slice(at, Math.min(at + sliceBytes, end)).arrayBuffer());
  }
}

async function view(file: Blob, offset: number, bytes: number): Promise<DataView> {
  return new DataView(await file.slice(offset, offset + bytes).arrayBuffer());
}

function text(bytes: DataView, at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at, length));
}

function long(bytes: DataView, at: number): number {
  return Number(bytes.getBigUint64(at, true));
}
