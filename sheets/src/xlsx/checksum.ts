const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  }
  return remainder;
});

/** The CRC-32 that zip archives have of each file; `before` is that of the bytes before these. */
export function checksum(bytes: Uint8Array, before: number): number {
  let sum = ~before;
  for (let at = 0; at < bytes.length; at++) {
    sum = (table[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  }
  return ~sum >>> 0;
}
