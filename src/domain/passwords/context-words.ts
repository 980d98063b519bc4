/**
 * Words that whoever attacks this installation, or this person, would try first, and passwords built around them.
 *
 * A password is compared without regard to case, accents, separators and the usual substitutions: R0llc@ll!! is "rollcall". It is
 * built around a word if what is left without the words could not be a password by itself: fewer than 8 letters and digits
 * besides years, seasons and months, digits alone, few different characters, or a common password. So "rollcall2026" is refused, and a passphrase that holds a word is not.
 */
export type ContextWordKind = 'product' | 'company' | 'username' | 'employeeID' | 'email';

export interface ContextWord {
  readonly kind: ContextWordKind;
  /** In the form in which words are compared. */
  readonly word: string;
}

export interface PasswordContext {
  readonly companyNames: readonly string[];
  readonly employeeID: string;
  readonly username: string | null;
  readonly email: string | null;
}

/** The documented list; the rest comes from the settings and from the person. */
export const productWords = ['rollcall', 'administrator', 'admin'] as const;

/** Shorter words are found in passwords by chance. */
const wordMinLength = 4;
/** Labels of domains that say nothing about who has them. */
const generalLabels = new Set(['mail', 'email', 'gmail', 'outlook', 'example', 'localhost']);

export function contextWords({ companyNames, employeeID, username, email }: PasswordContext): ContextWord[] {
  const words: [ContextWordKind, readonly string[]][] = [
    ['product', productWords],
    ['company', companyNames.flatMap(wholeAndParts)],
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

function wholeAndParts(text: string): string[] {
  const parts = text.split(separators).filter((part) => part.length >= wordMinLength);
  return [text, ...parts];
}

/** The local part and the domain, without the top-level one: `ada.lovelace@mail.acme.com` has ada.lovelace, lovelace, acme. */
function wordsOfEmail(email: string): string[] {
  const at = email.lastIndexOf('@');
  const labels = email.slice(at + 1).split('.');
  const named = labels.length > 1 ? labels.slice(0, -1) : labels;
  return [
    ...wholeAndParts(email.slice(0, at)),
    ...named.filter((label) => !generalLabels.has(label.toLowerCase())),
  ];
}

/** The kinds of words that a password is built around; none if it is not. */
export function builtAround(
  password: string,
  words: readonly ContextWord[],
  isPasswordByItself: (rest: string) => boolean,
): ContextWordKind[] {
  // A sign is a letter in disguise or a separator: "p@ul", "roll@call". Both are tried.
  for (const signsAreLetters of [true, false]) {
    const { found, rest } = withoutWords(lettersOf(password, signsAreLetters), words);
    if (found.size > 0 && !isPasswordByItself(rest)) return [...found];
  }
  return [];
}

interface Letter {
  /** As it was typed, in lower case. */
  readonly typed: string;
  /** As it is compared. */
  readonly compared: string;
}

function withoutWords(letters: readonly Letter[], words: readonly ContextWord[]) {
  const text = letters.map(({ compared }) => compared).join('');
  const taken = new Set<number>();
  const found = new Set<ContextWordKind>();
  for (const { kind, word } of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      found.add(kind);
      for (let index = at; index < at + word.length; index++) taken.add(index);
    }
  }
  const left = letters.filter(({ typed }, index) => !taken.has(index) && !separator.test(typed));
  return { found, rest: left.map(({ typed }) => typed).join('') };
}

/** Characters that look alike, or stand for each other, are one. */
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

/** Spaces, punctuation and ASCII symbols; other symbols, such as emoji, are characters of their own. */
const separator = /[\p{P}\p{Z}\p{Cc}\p{Cf}$+<=>^`|~€]/u;
const separators = new RegExp(`${separator.source}+`, 'u');

function lettersOf(text: string, signsAreLetters: boolean): Letter[] {
  // Accents apart, and gone: they are no characters of their own.
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [...plain].flatMap((character): Letter[] => {
    const sign = signsAreLetters ? signs[character] : undefined;
    if (sign === undefined && separator.test(character)) return [];
    if (sign !== undefined) return [{ typed: character, compared: sign }];
    // By UTF-16 units, so that a position in the compared text is one in the list.
    return character.split('').map((typed) => ({ typed, compared: lookAlikes[typed] ?? typed }));
  });
}

function comparable(word: string): string {
  return lettersOf(word, false)
    .map(({ compared }) => compared)
    .join('');
}
