export interface Utf8Findings {
  /** The number of valid multi-byte sequences. */
  readonly valid: number;
  readonly invalid: number;
  /** The position of the first invalid byte, or -1. */
  readonly firstInvalid: number;
}

/** How many bytes follow a leading byte, or -1 if it can't start a sequence. */
function followers(lead: number): number {
  if (lead < 0x80) return 0;
  if (lead < 0xc2) return -1;
  if (lead < 0xe0) return 1;
  if (lead < 0xf0) return 2;
  return lead < 0xf5 ? 3 : -1;
}

/** The second byte rules out overlong forms, surrogates and code points beyond Unicode. */
function secondFits(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  if (lead === 0xf4) return second < 0x90;
  return true;
}

function sequenceFits(bytes: Uint8Array, at: number, length: number): boolean {
  for (let next = at + 1; next <= at + length; next++) {
    const byte = bytes[next] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return false;
  }
  return secondFits(bytes[at] ?? 0, bytes[at + 1] ?? 0);
}

/** An incomplete sequence at the end is ignored: see completeLength. */
export function examineUtf8(bytes: Uint8Array): Utf8Findings {
  let valid = 0;
  let invalid = 0;
  let firstInvalid = -1;
  for (let at = 0; at < bytes.length; ) {
    const length = followers(bytes[at] ?? 0);
    if (length >= 0 && (length === 0 || sequenceFits(bytes, at, length))) {
      if (length > 0) valid++;
      at += 1 + length;
      continue;
    }
    invalid++;
    if (firstInvalid === -1) firstInvalid = at;
    at++;
  }
  return { valid, invalid, firstInvalid };
}

/**
 * The positions of the first character that only UTF-8 explains, and of the first byte that UTF-8 doesn't, or -1. Of two
 * bytes, only Latin letters and signs count: in Windows-1252, any other capital before a quotation mark or a dash is
 * valid UTF-8 by chance.
 */
export function firstOfEachKind(bytes: Uint8Array): { readonly utf8: number; readonly other: number } {
  let utf8 = -1;
  let other = -1;
  for (let at = 0; at < bytes.length && (utf8 === -1 || other === -1); ) {
    const lead = bytes[at] ?? 0;
    const length = followers(lead);
    const fits = length >= 0 && (length === 0 || sequenceFits(bytes, at, length));
    if (!fits && other === -1) other = at;
    if (fits && utf8 === -1 && (length > 1 || (length === 1 && lead < 0xc6))) utf8 = at;
    at += fits ? 1 + length : 1;
  }
  return { utf8, other };
}

/** How many bytes form whole characters. The rest may be the start of one. */
export function completeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return followers(byte) >= back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

export function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) >= 0x80) return false;
  return true;
}
