import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares hashes, which have the same length, so that the time tells nothing about the token. */
export function tokenCheck(token: string): (sent: string | undefined) => boolean {
  const expected = hashOf(token);
  return (sent) => {
    const [, value = ''] = /^bearer +(\S+)$/i.exec(sent?.trim() ?? '') ?? [];
    return timingSafeEqual(hashOf(value), expected);
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
