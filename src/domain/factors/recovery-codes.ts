import { createHash, randomBytes } from 'node:crypto';
import { factorLimits } from '../../contract/factors.js';

/** Letters and digits that nobody confuses, as in Crockford's Base32. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 6;
const groupLength = 4;
const codeLength = groups * groupLength;

/** 120 random bits, so that a plain hash of a code cannot be reversed by trying all of them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: factorLimits.recoveryCodes }, () => {
    const characters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join(
      '',
    );
    return characters.match(new RegExp(`.{${groupLength}}`, 'g'))?.join('-') ?? characters;
  });
}

/** The code as it was generated, however it was typed. */
export function plainRecoveryCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** Includes the user: two users with the same code would not have the same hash. */
export function recoveryCodeHash(userSerial: string, typed: string): Buffer {
  return createHash('sha256')
    .update(`${userSerial}:${plainRecoveryCode(typed)}`)
    .digest();
}
