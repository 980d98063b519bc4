import { TableError } from '../problems.js';

/** Events of the scanner. Names have no prefix. */
export interface XmlListener {
  open?(name: string, attributes: string): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** No cell is longer than 32,767 characters, and no tag is nearly that long. */
const tokenCharactersMax = 1_048_576;

/** Nothing in it can match in two ways, so that a tag that never ends fails fast. */
const tagPattern =
  /<(\/?)(?:[^\s/>:"']+:)?([^\s/>:"']+)(?=[\s/>])([^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*)>/y;

const skipped: readonly [begin: string, end: string][] = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!', '>'],
];

/**
 * Scans the XML of a workbook: tags, texts and CDATA, in document order. It doesn't check that tags match, because the
 * checksum of the archive reveals damage.
 */
export async function scanXml(
  chunks: AsyncIterable<Uint8Array>,
  part: string,
  listener: XmlListener,
): Promise<void> {
  for await (const _ of scanningXml(chunks, part, listener));
}

/** The same, yielding after each chunk, so that results can be passed on. */
export async function* scanningXml(
  chunks: AsyncIterable<Uint8Array>,
  part: string,
  listener: XmlListener,
): AsyncGenerator<void> {
  const damaged = new TableError({ code: 'WORKBOOK_DAMAGED', part });
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let text = '';
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(isUtf16(chunk) ? 'utf-16le' : 'utf-8', { fatal: true });
    try {
      text += decoder.decode(chunk, { stream: true });
    } catch {
      throw damaged;
    }
    text = text.slice(scan(text, listener, damaged));
    if (text.length > tokenCharactersMax) throw damaged;
    yield;
  }
  if (text.trim() !== '') throw damaged;
}

const isUtf16 = (chunk: Uint8Array): boolean => chunk[0] === 0xff && chunk[1] === 0xfe;

/** Reports what is complete, and returns where the rest starts. */
function scan(text: string, listener: XmlListener, damaged: TableError): number {
  let at = 0;
  for (;;) {
    const begin = text.indexOf('<', at);
    if (begin === -1) return at;
    // It could define entities, which we don't expand. A workbook must not have one.
    if (text.startsWith('<!DOCTYPE', begin)) throw damaged;
    const isMarkup = text.charCodeAt(begin + 1) === 0x21 || text.charCodeAt(begin + 1) === 0x3f;
    const end = isMarkup ? markupEnd(text, begin, listener, at) : tagEnd(text, begin, listener, at);
    if (end === -1) return at;
    at = end;
  }
}

function tagEnd(text: string, begin: number, listener: XmlListener, textFrom: number): number {
  tagPattern.lastIndex = begin;
  const tag = tagPattern.exec(text);
  if (tag === null) return -1;
  if (begin > textFrom) listener.text?.(unescaped(text.slice(textFrom, begin)));
  const [, slash, name = '', rest = ''] = tag;
  if (slash === '/') listener.close?.(name);
  else {
    listener.open?.(name, rest);
    if (rest.endsWith('/')) listener.close?.(name);
  }
  return tagPattern.lastIndex;
}

const cdata = '<![CDATA[';

function markupEnd(text: string, begin: number, listener: XmlListener, textFrom: number): number {
  // This many characters are needed to tell the three apart.
  if (text.length < begin + cdata.length) return -1;
  const isCdata = text.startsWith(cdata, begin);
  const [, endMark] = isCdata
    ? ['', ']]>']
    : (skipped.find(([mark]) => text.startsWith(mark, begin)) ?? ['', '>']);
  const end = text.indexOf(endMark, begin);
  if (end === -1) return -1;
  if (begin > textFrom) listener.text?.(unescaped(text.slice(textFrom, begin)));
  if (isCdata) listener.text?.(text.slice(begin + cdata.length, end));
  return end + endMark.length;
}

const attributePattern = /(?:[^\s=:"']+:)?([^\s=:"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Far more than any tag of a workbook has. */
const attributeCharactersMax = 8_192;

/** Attributes by name, without prefixes. */
export function attributesOf(attributes: string): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = {};
  const looked = attributes.slice(0, attributeCharactersMax);
  attributePattern.lastIndex = 0;
  for (let match = attributePattern.exec(looked); match !== null; match = attributePattern.exec(looked)) {
    found[match[1] ?? ''] = unescaped(match[2] ?? match[3] ?? '');
  }
  return found;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  const unified = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (!unified.includes('&')) return unified;
  return unified.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
