import { TableError } from '../problems.js';
import { through } from '../through.js';
import { checksum } from './checksum.js';

/** A text file that is packed as it is made. */
export interface TextFile {
  readonly name: string;
  readonly texts: Iterable<string> | AsyncIterable<string>;
}

/** What the directory tells of a file, counted while it is packed. */
interface Packed {
  readonly name: Uint8Array;
  readonly offset: number;
  bytes: number;
  packedBytes: number;
  checksum: number;
}

const signatures = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 };
/** What a reader must know: 2.0, which is to unpack, and nothing of 64 bits. */
const version = 20;
/** Checksum and sizes stand behind the file, because they are not known before. */
const hasDescriptor = 0x0008;
const deflate = 8;
/** 1 January 1980, the first day that there is: the same rows make the same bytes. */
const date = 0x0021;
/** The largest number of 32 bits but one: that means that it stands elsewhere, with 64. */
const archiveBytesMax = 0xfffffffe;

/** Packs files one after the other into a zip archive. The next file is asked for when the one before is done. */
export async function* zipped(
  files: AsyncIterable<TextFile>,
  bytesMax: number = archiveBytesMax,
): AsyncGenerator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  const within = (bytes: number): void => {
    if (bytes > bytesMax) throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max: bytesMax });
  };
  for await (const { name, texts } of files) {
    const file: Packed = { name: encoder.encode(name), offset, bytes: 0, packedBytes: 0, checksum: 0 };
    yield localHeader(file);
    const unpacked = counted(texts, file, within);
    for await (const chunk of through(unpacked, new CompressionStream('deflate-raw'))) {
      file.packedBytes += chunk.length;
      yield chunk;
    }
    yield descriptor(file);
    directory.push(centralHeader(file));
    offset += localBytes + file.name.length + file.packedBytes + descriptorBytes;
    within(offset);
  }
  yield* directory;
  const directoryBytes = directory.reduce((bytes, entry) => bytes + entry.length, 0);
  within(offset + directoryBytes);
  yield endOfDirectory(directory.length, directoryBytes, offset);
}

const encoder = new TextEncoder();

async function* counted(
  texts: TextFile['texts'],
  file: Packed,
  within: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const text of texts) {
    const bytes = encoder.encode(text);
    file.bytes += bytes.length;
    within(file.bytes);
    file.checksum = checksum(bytes, file.checksum);
    yield bytes;
  }
}

type Field = readonly [bits: 16 | 32, number: number];

/** Numbers one after the other, the lowest byte first, and a name behind them. */
function record(fields: readonly Field[], name: Uint8Array = new Uint8Array(0)): Uint8Array {
  const bytes = fields.reduce((sum, [bits]) => sum + bits / 8, 0);
  const view = new DataView(new ArrayBuffer(bytes + name.length));
  let at = 0;
  for (const [bits, number] of fields) {
    if (bits === 16) view.setUint16(at, number, true);
    else view.setUint32(at, number, true);
    at += bits / 8;
  }
  const whole = new Uint8Array(view.buffer);
  whole.set(name, at);
  return whole;
}

const localBytes = 30;
const descriptorBytes = 16;

/** Version, flags, method, time and date: the same in both headers. */
const manner: readonly Field[] = [
  [16, version],
  [16, hasDescriptor],
  [16, deflate],
  [16, 0],
  [16, date],
];

function sums({ checksum, packedBytes, bytes }: Pick<Packed, 'checksum' | 'packedBytes' | 'bytes'>): Field[] {
  return [
    [32, checksum],
    [32, packedBytes],
    [32, bytes],
  ];
}

function localHeader({ name }: Packed): Uint8Array {
  const unknown = sums({ checksum: 0, packedBytes: 0, bytes: 0 });
  return record([[32, signatures.local], ...manner, ...unknown, [16, name.length], [16, 0]], name);
}

function descriptor(file: Packed): Uint8Array {
  return record([[32, signatures.descriptor], ...sums(file)]);
}

function centralHeader(file: Packed): Uint8Array {
  const { name, offset } = file;
  // No extra field, no comment, the first disk, no attributes of the file.
  const rest: Field[] = [
    [16, 0],
    [16, 0],
    [16, 0],
    [16, 0],
    [32, 0],
    [32, offset],
  ];
  return record(
    [[32, signatures.central], [16, version], ...manner, ...sums(file), [16, name.length], ...rest],
    name,
  );
}

function endOfDirectory(count: number, bytes: number, offset: number): Uint8Array {
  return record([
    [32, signatures.end],
    [16, 0],
    [16, 0],
    [16, count],
    [16, count],
    [32, bytes],
    [32, offset],
    [16, 0],
  ]);
}
