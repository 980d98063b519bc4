import type { PasswordRule, PasswordWord } from '../../contract/errors.js';
import { passwordField } from '../../contract/fields.js';
import { fieldLimits } from '../../contract/limits.js';
import { builtAround, contextWords, type PasswordContext } from './context-words.js';

/** Names that a password must not equal: an attacker who knows the user would try them first. */
export interface PersonalNames {
  readonly employeeID: string;
  readonly username: string | null;
}

/** The rule that a password breaks. */
export interface PasswordProblem {
  readonly rule: PasswordRule;
  /** What a guessable password is based on. */
  readonly basedOn?: PasswordWord[];
  /** The end of a sentence that starts with "The password". */
  readonly text: string;
}

/** The first rule that a password chosen by a user breaks; undefined if there is none. */
export function chosenPasswordProblem(
  password: string,
  context: PasswordContext,
  isCommon: (password: string) => boolean,
): PasswordProblem | undefined {
  return passwordProblem(password, context, isCommon) ?? contextProblem(password, context, isCommon);
}

/** What users add to a word most often: a year, a season, a month. */
const predictable =
  /(?:19|20)\d\d|spring|summer|autumn|winter|january|february|march|april|june|july|august|september|october|november|december/g;
/** Repeated characters add nothing. */
const distinctMin = 5;

function contextProblem(
  password: string,
  context: PasswordContext,
  isCommon: (password: string) => boolean,
): PasswordProblem | undefined {
  const minLength = fieldLimits.chosenPasswordMinLength;
  const isPasswordByItself = (rest: string) => {
    const own = rest.replace(predictable, '');
    return (
      [...own].length >= minLength &&
      new Set(own).size >= distinctMin &&
      !/^\p{N}*$/u.test(own) &&
      !isCommon(rest)
    );
  };
  const kinds = builtAround(password, contextWords(context), isPasswordByItself);
  if (kinds.length === 0) return undefined;
  const words = kinds.map((kind) => kindNames[kind]).join(' and ');
  const text = `must not be based on ${words}. Add at least ${minLength} characters that are hard to guess, or choose another password.`;
  return { rule: 'guessable', basedOn: [...kinds], text };
}

const kindNames: Readonly<Record<PasswordWord, string>> = {
  product: 'the name of this product or a role',
  company: 'the company name',
  username: 'your username',
  employeeID: 'your employee ID',
  email: 'your email address',
};

/**
 * The rules for every password, except initial ones given on create, following NIST SP 800-63B and OWASP ASVS: long
 * enough, not common, not the user's own name. Every character is allowed and none is required.
 */
export function passwordProblem(
  password: string,
  { employeeID, username }: PersonalNames,
  isCommon: (password: string) => boolean,
): PasswordProblem | undefined {
  if (isTooLong(password)) return wrongLength(password.length);
  const length = [...password].length;
  if (length > fieldLimits.passwordMaxLength) return wrongLength(length);
  // Decomposed accents do not make the password longer.
  const shortest = Math.min(length, [...normalized(password)].length);
  if (shortest < fieldLimits.chosenPasswordMinLength) return wrongLength(shortest);
  if (!passwordField.accepts(password)) {
    return { rule: 'characters', text: 'must not contain NUL characters or lone surrogates.' };
  }
  const folded = comparable(password);
  if (folded === comparable(employeeID) || (username !== null && folded === comparable(username))) {
    return { rule: 'ownName', text: 'must not be the username or the employee ID.' };
  }
  return isCommon(folded)
    ? { rule: 'common', text: 'is one of the most common passwords. Choose another.' }
    : undefined;
}

function wrongLength(length: number): PasswordProblem {
  const { chosenPasswordMinLength, passwordMaxLength } = fieldLimits;
  const text = `must have ${chosenPasswordMinLength} to ${passwordMaxLength} characters, but has ${length}.`;
  return { rule: 'length', text };
}

/** In UTF-16 code units. Decomposed accents can turn one character into up to four, of up to two units each. */
const typedPasswordMaxLength = 8 * fieldLimits.passwordMaxLength;

/**
 * Whether a text is longer than any way to type a password. Normalization takes quadratic time, so this is checked
 * first.
 */
export function isTooLong(password: string): boolean {
  return password.length > typedPasswordMaxLength;
}

/** NIST requires normalization before hashing, so that the same password works on every keyboard. */
export function normalized(password: string): string {
  return password.normalize('NFKC');
}

function comparable(text: string): string {
  return normalized(text).toLowerCase();
}
