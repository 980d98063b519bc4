import { isWithin } from './code-points.js';
import { isStorable, usernameField } from './fields.js';
import { fieldLimits } from './limits.js';

/**
 * The `userName` of an identity provider. A username consists of letters and digits, so most of these names, such as email
 * addresses, are stored as a sign-in name instead.
 */
export function isUserName(text: string): boolean {
  return isWithin(text, fieldLimits.signInNameMaxLength) && isStorable(text) && !misleading.test(text);
}

/**
 * Control characters, and whatever looks like nothing or reorders other characters: names that look the same must be the
 * same. That excludes the joiners that some words of Persian and Indian languages are written with.
 */
const misleading = /^\s|\s$|[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\u1680\u2800]/u;

const isUsername = (text: unknown): boolean => usernameField.accepts(text);

/** What is the same for names that count as one. */
export function foldedUserName(userName: string): string {
  return userName.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** How a name that is no username is stored and compared; undefined if it is a username, or can't be a name at all. */
export function signInNameOfUserName(userName: string): string | undefined {
  if (userName === '' || isUsername(userName) || !isUserName(userName)) return undefined;
  const folded = foldedUserName(userName);
  // What only looks like a username would let two users seem to have the same name.
  return isUsername(folded) || !isUserName(folded) ? undefined : folded;
}
