import type { Lookalike } from './problems.js';
import { sniffEncoding } from './text/decode.js';

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const beginnings: readonly [Lookalike | 'zip-archive' | 'compound', readonly number[]][] = [
  ['zip-archive', [0x50, 0x4b, 0x03, 0x04]],
  ['compound', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['pdf', ascii('%PDF-')],
  ['png', [0x89, 0x50, 0x4e, 0x47]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['gif', ascii('GIF8')],
  ['gzip', [0x1f, 0x8b]],
  ['rtf', ascii('{\\rtf')],
];

/** Detects the kind from the first bytes: 'zip' may be a workbook and 'text' a table; anything else is neither. */
export function seemsToBe(head: Uint8Array): 'zip' | 'text' | { readonly lookalike: Lookalike } {
  for (const [kind, bytes] of beginnings) {
    if (!bytes.every((byte, at) => head[at] === byte)) continue;
    if (kind === 'zip-archive') return 'zip';
    if (kind === 'compound') return { lookalike: isEncryptedWorkbook(head) ? 'encrypted' : 'xls' };
    return { lookalike: kind };
  }
  const isWide = sniffEncoding(head)?.startsWith('utf-16') ?? false;
  return !isWide && head.includes(0) ? { lookalike: 'binary' } : 'text';
}

/** A workbook with a password is a compound file like an old .xls, with a stream of this name, in UTF-16. */
function isEncryptedWorkbook(head: Uint8Array): boolean {
  return new TextDecoder('utf-16le').decode(head.subarray(0, head.length & ~1)).includes('EncryptedPackage');
}

/** What a zip archive that isn't a workbook seems to be, judging by its file names. */
export function archiveLookalike(names: readonly string[]): Lookalike {
  if (names.includes('xl/workbook.bin')) return 'xlsb';
  if (names.includes('word/document.xml')) return 'docx';
  if (names.some((name) => name.endsWith('.iwa'))) return 'numbers';
  return names.includes('mimetype') && names.includes('content.xml') ? 'ods' : 'zip';
}
