import type { PasswordWord } from '../../contract/errors.js';

/**
 * Words that an attacker of this installation or user would try first, and passwords built around them. Passwords are
 * compared without case, accents, separators and common substitutions: R0llc@ll!! is "rollcall". A password is built
 * around words if the rest could not be a password by itself: fewer than 8 letters and digits besides years, seasons
 * and months, only digits, few distinct characters, or a common password. So "rollcall2026" is rejected, and a
 * passphrase that contains a word is not.
 */
export interface ContextWord {
  readonly kind: PasswordWord;
  /** In the form used for comparison. */
  readonly word: string;
}

export interface PasswordContext {
  readonly companyNames: readonly string[];
  readonly employeeID: string;
  readonly username: string | null;
  readonly email: string | null;
}

/** The documented list. Other words come from the settings and the user. */
export const productWords = ['rollcall', 'administrator', 'admin'] as const;

/** Shorter words occur in passwords by chance. */
const wordMinLength = 4;
/** Domain labels that say nothing about their owner. */
const generalLabels = new Set(['mail', 'email', 'gmail', 'outlook', 'example', 'localhost']);

export function contextWords({ companyNames, employeeID, username, email }: PasswordContext): ContextWord[] {
  const words: [PasswordWord, readonly string[]][] = [
    ['product', productWords],
    ['company', companyNames.flatMap(textAndWords)],
    ['username', [username ?? '']],
    ['employeeID', [employeeID]],
    ['email', email === null ? [] : wordsOfEmail(email)],
  ];
  return words.flatMap(([kind, texts]) =>
    texts
      .map((text) => ({ kind, word: comparable(text) }))
      .filter(({ word }) => word.length >= wordMinLength),
  );
}

function textAndWords(text: string): string[] {
  const parts = text.split(separators).filter((part) => part.length >= wordMinLength);
  return [text, ...parts];
}

/**
 * The local part and the domain without its top level: `ada.lovelace@mail.acme.com` yields ada.lovelace, lovelace and
 * acme.
 */
function wordsOfEmail(email: string): string[] {
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).split('.');
  const named = labels.length > 1 ? labels.slice(0, -1) : labels;
  return [
    ...textAndWords(email.slice(0, at)),
    ...named.filter((label) => !generalLabels.has(label.toLowerCase())),
  ];
}

/** The kinds of words that a password is built around; empty if it is not. */
export function builtAround(
  password: string,
  words: readonly ContextWord[],
  isPasswordByItself: (rest: string) => boolean,
): PasswordWord[] {
  // A symbol can be a substituted letter or a separator ("p@ul", "roll@call"), so both are tried.
  for (const signsAreLetters of [true, false]) {
    const { found, rest } = withoutWords(lettersOf(password, signsAreLetters), words);
    if (found.size > 0 && !isPasswordByItself(rest)) return [...found];
  }
  return [];
}

interface Letter {
  /** As typed, in lower case. */
  readonly typed: string;
  /** As compared. */
  readonly compared: string;
}

function withoutWords(letters: readonly Letter[], words: readonly ContextWord[]) {
  const text = letters.map(({ compared }) => compared).join('');
  const taken = new Set<number>();
  const found = new Set<PasswordWord>();
  for (const { kind, word } of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      found.add(kind);
      for (let index = at; index < at + word.length; index++) taken.add(index);
    }
  }
  const left = letters.filter(({ typed }, index) => !taken.has(index) && !separator.test(typed));
  return { found, rest: left.map(({ typed }) => typed).join('') };
}

/** Characters that look alike or substitute each other count as one. */
const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  l: 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
};
const signs: Readonly<Record<string, string>> = { '@': 'a', $: 's', '!': 'i', '|': 'i', '+': 't', '€': 'e' };

/** Spaces, punctuation and ASCII symbols. Other symbols, such as emoji, count as characters. */
const separator = /[\p{P}\p{Z}\p{Cc}\p{Cf}$+<=>^`|~€]/u;
const separators = new RegExp(`${separator.source}+`, 'u');

function lettersOf(text: string, signsAreLetters: boolean): Letter[] {
  // Accents are decomposed and removed: they do not count as characters.
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [...plain].flatMap((character): Letter[] => {
    const sign = signsAreLetters ? signs[character] : undefined;
    if (sign === undefined && separator.test(character)) return [];
    if (sign !== undefined) return [{ typed: character, compared: sign }];
    // By UTF-16 unit, so that a position in the compared text is an index into the list.
    return character.split('').map((typed) => ({ typed, compared: lookAlikes[typed] ?? typed }));
  });
}

function comparable(word: string): string {
  return lettersOf(word, false)
    .map(({ compared }) => compared)
    .join('');
}
