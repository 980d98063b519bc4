import type { ListedFile } from './file-pattern.js';

export interface ListedObject extends ListedFile {
  readonly etag: string;
}

interface Listing {
  readonly objects: readonly ListedObject[];
  /** Of the page that follows. */
  readonly nextToken: string | undefined;
}

/** A page of ListObjectsV2, in which the name of an object is its key. Undefined if it is anything else. */
export function parseListing(xml: string): Listing | undefined {
  if (!/<ListBucketResult[\s>]/.test(xml) || !xml.includes('</ListBucketResult>')) return undefined;
  const objects = contentsIn(xml).map(objectIn);
  if (!objects.every((each) => each !== undefined)) return undefined;
  const isTruncated = textIn(xml, 'IsTruncated') === 'true';
  const nextToken = isTruncated ? textIn(xml, 'NextContinuationToken') : undefined;
  return isTruncated && !nextToken ? undefined : { objects, nextToken };
}

/** Without a regular expression, which would search the rest of the text for each element without an end. */
function contentsIn(xml: string): string[] {
  const [begin, end] = ['<Contents>', '</Contents>'];
  const contents: string[] = [];
  for (let from = xml.indexOf(begin); from >= 0; ) {
    const to = xml.indexOf(end, from);
    if (to < 0) break;
    contents.push(xml.slice(from + begin.length, to));
    from = xml.indexOf(begin, to);
  }
  return contents;
}

function objectIn(xml: string): ListedObject | undefined {
  const [name, etag] = [textIn(xml, 'Key'), textIn(xml, 'ETag')];
  const modifiedMs = Date.parse(textIn(xml, 'LastModified') ?? '');
  const bytes = Number(textIn(xml, 'Size'));
  if (name === undefined || etag === undefined || Number.isNaN(modifiedMs + bytes)) return undefined;
  return { name, etag, modifiedMs, bytes };
}

/** Such as `NoSuchKey`. */
export function parseErrorCode(xml: string): string | undefined {
  return textIn(xml, 'Code');
}

function textIn(xml: string, element: string): string | undefined {
  const start = xml.indexOf(`<${element}>`);
  const end = xml.indexOf(`</${element}>`, start);
  return start === -1 || end === -1 ? undefined : unescapeXml(xml.slice(start + element.length + 2, end));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? entity;
    const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : entity;
  });
}
