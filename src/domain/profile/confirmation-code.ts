import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

export const confirmationMinutes = 15;
export const codeAttemptsMax = 5;
export const codesPerDayMax = 10;

const codeLength = 8;

/** Digits are easy to type, and few enough guesses are free. */
export function newConfirmationCode(deliveryId: string): { code: string; codeHash: Buffer } {
  const code = String(randomInt(10 ** codeLength)).padStart(codeLength, '0');
  return { code, codeHash: hashOf(deliveryId, code) };
}

/** People copy codes with spaces. */
export function isConfirmationCode(deliveryId: string, codeHash: Buffer, sent: string): boolean {
  return timingSafeEqual(hashOf(deliveryId, sent.replace(/\s/g, '')), codeHash);
}

function hashOf(deliveryId: string, code: string): Buffer {
  return createHash('sha256').update(`${deliveryId}:${code}`).digest();
}
