import type { Encoding } from './problems.js';
import { decodeWindows1252 } from './text/decode.js';

const byteOrderMark = '\uFEFF';
let windows1252: ReadonlyMap<string, number> | undefined;

/**
 * Encodes a text, with a byte order mark where the encoding has one. Undefined if the encoding lacks a character of the
 * text, which only concerns Windows-1252.
 */
export function encodeText(
  text: string,
  encoding: Encoding,
  /** Without a byte order mark, the text continues another one. */
  { bom = true }: { readonly bom?: boolean } = {},
): Uint8Array<ArrayBuffer> | undefined {
  const marked = bom ? byteOrderMark + text : text;
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(marked);
    case 'utf-16le':
    case 'utf-16be':
      return encodeUtf16(marked, encoding === 'utf-16le');
    case 'windows-1252':
      return encodeWindows1252(text);
  }
}

function encodeUtf16(text: string, isLittleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittleEndian);
  return bytes;
}

function encodeWindows1252(text: string): Uint8Array<ArrayBuffer> | undefined {
  windows1252 ??= bytesOfCharacters();
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const byte = windows1252.get(text.charAt(at));
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}

/** There is only a decoder, so this is its inverse. */
function bytesOfCharacters(): Map<string, number> {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  return new Map([...decodeWindows1252(bytes)].map((character, byte) => [character, byte]));
}
