import { crc32, deflateRawSync } from 'node:zlib';

interface ZipOptions {
  /** Stores the files uncompressed. */
  readonly stored?: boolean;
  /** Uses 64-bit sizes and offsets, as streaming writers do. */
  readonly wide?: boolean;
  /** False file size in the directory. */
  readonly claimedBytes?: number;
  /** The only file with a false size. */
  readonly claimedIn?: string;
  readonly claimedChecksum?: number;
  readonly comment?: string;
}

/** A handmade zip archive, for cases that workbook writers don't produce. */
export function zip(files: Readonly<Record<string, string | Buffer>>, options: ZipOptions = {}): Uint8Array {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = options.stored ? bytes : deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(options.stored ? 0 : 8, 8);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const isFalse = options.claimedIn === undefined || options.claimedIn === name;
    const size = isFalse ? (options.claimedBytes ?? bytes.length) : bytes.length;
    const extra = options.wide ? wideExtra(size, packed.length, offset) : Buffer.alloc(0);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(options.stored ? 0 : 8, 10);
    central.writeUInt32LE(options.claimedChecksum ?? crc32(bytes), 16);
    central.writeUInt32LE(options.wide ? 0xffffffff : packed.length, 20);
    central.writeUInt32LE(options.wide ? 0xffffffff : size, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(options.wide ? 0xffffffff : offset, 42);
    locals.push(local, Buffer.from(name), packed);
    centrals.push(central, Buffer.from(name), extra);
    offset += local.length + Buffer.byteLength(name) + packed.length;
  }
  const directory = Buffer.concat(centrals);
  const count = Object.keys(files).length;
  const end = options.wide
    ? wideEnd(count, directory.length, offset)
    : narrowEnd(count, directory.length, offset);
  const comment = Buffer.from(options.comment ?? '');
  end.writeUInt16LE(comment.length, end.length - 2);
  return new Uint8Array(Buffer.concat([...locals, directory, end, comment]));
}

function wideExtra(bytes: number, packedBytes: number, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, number] of [bytes, packedBytes, offset].entries()) {
    extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  }
  return extra;
}

function narrowEnd(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function wideEnd(count: number, bytes: number, offset: number): Buffer {
  const wide = Buffer.alloc(56 + 20);
  wide.writeUInt32LE(0x06064b50, 0);
  wide.writeBigUInt64LE(BigInt(count), 32);
  wide.writeBigUInt64LE(BigInt(bytes), 40);
  wide.writeBigUInt64LE(BigInt(offset), 48);
  wide.writeUInt32LE(0x07064b50, 56);
  wide.writeBigUInt64LE(BigInt(offset + bytes), 56 + 8);
  return Buffer.concat([wide, narrowEnd(0xffff, 0xffffffff, 0xffffffff)]);
}

interface Parts {
  readonly sheetData: string;
  /** XML after the rows, such as merged cells. */
  readonly afterRows?: string;
  readonly sharedStrings?: string;
  readonly styles?: string;
  readonly workbookProperties?: string;
  readonly sheets?: string;
}

const relationship = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;

/** The files of a workbook with one sheet, as Excel writes them. */
export function workbookFiles(parts: Parts): Record<string, string> {
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  const { sheets = '<sheet name="People" sheetId="1" r:id="rId1"/>' } = parts;
  return {
    '_rels/.rels': `${xml}<Relationships>${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${xml}<workbook xmlns:r="r">${parts.workbookProperties ?? ''}<sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${xml}<Relationships>${relationship('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relationship('rId2', 'worksheet', 'worksheets/sheet2.xml')}${relationship('rId3', 'sharedStrings', 'sharedStrings.xml')}${relationship('rId4', 'styles', '/xl/styles.xml')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `${xml}<worksheet><sheetData>${parts.sheetData}</sheetData>${parts.afterRows ?? ''}</worksheet>`,
    'xl/worksheets/sheet2.xml': `${xml}<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Second</v></c></row><row r="2"><c r="A2" t="str"><v>sheet</v></c></row></sheetData></worksheet>`,
    'xl/sharedStrings.xml': `${xml}<sst>${parts.sharedStrings ?? ''}</sst>`,
    'xl/styles.xml': `${xml}<styleSheet>${parts.styles ?? ''}</styleSheet>`,
  };
}

/** Uncompressed, because inflating takes half of the time to read it. */
export function workbook(parts: Parts): Uint8Array {
  return zip(workbookFiles(parts), { stored: true });
}

/** A sheet with the heading "Value" and one cell per row below it. */
export function column(...values: readonly string[]): string {
  const rows = values.map((cell, index) => `<row r="${index + 2}">${cell}</row>`);
  return `<row r="1"><c r="A1" t="str"><v>Value</v></c></row>${rows.join('')}`;
}

/** Styles with one number format each, to be used as s="0", s="1" and so on. */
export function formatStyles(...codes: readonly string[]): string {
  const escaped = codes.map((code) =>
    code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  );
  const formats = escaped.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`);
  const styles = codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  return `<numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs>`;
}
