/** Folding makes words comparable: lower case, without diacritics, and in one encoding. */

/** The words of a text, in order. Everything that is not a letter, a digit or a mark separates words. */
export function foldedWords(text: string): string[] {
  return splitWords(foldedText(text).replace(transcribable, plainLetter));
}

/** The same with every spelling of each word, the plain one first: Müller is muller and mueller. */
export function foldedSpellings(text: string): string[][] {
  return splitWords(foldedText(text)).map(spellingsOf);
}

/** The same for a name, including words that can be written as one. */
export function foldedName(name: string): string[][] {
  const text = foldedText(name);
  return [...splitWords(text), ...compoundsIn(text)].map(spellingsOf);
}

/** The digits of a phone number, without the zero of +49 (0)30, which is dialed only without the country code. */
export function phoneDigits(phone: string): string {
  return foldedText(phone.replaceAll('(0)', ' ')).replace(/[^0-9]+/g, '');
}

/** The ー belongs to two of these scripts, so its own script is "common". */
const SPACELESS = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]';
const spaceless = new RegExp(SPACELESS, 'u');
const optionalSpaces = new RegExp(`(?<=${SPACELESS}) +(?=${SPACELESS})`, 'gu');

/** Whether a text contains a character of a script whose names are written without spaces. */
export function isSpaceless(text: string): boolean {
  return !printableAscii.test(text) && spaceless.test(text);
}

const printableAscii = /^[ -~]*$/;

/**
 * Words with spaces, hyphens and ASCII punctuation between them. Letters that can be transcribed are kept: their words
 * have several spellings.
 */
function foldedText(text: string): string {
  if (printableAscii.test(text)) return text.toLowerCase().replace(/['`]+/g, '');
  const compatible = withFewMarks(text).replace(acuteAccents, "'").normalize('NFKC').toLowerCase();
  let result = '';
  for (let index = 0; index < compatible.length; index++) {
    const point = compatible.codePointAt(index) as number; // the index is within the text
    if (point > 0xffff) index++;
    result += foldedCharacters.get(point) ?? rememberedCharacter(point);
  }
  return result;
}

/** Used as an apostrophe. Its compatibility form contains a space. */
const acuteAccents = /´/g;

/**
 * The time to sort marks grows with the square of their number: 10,000 in a row take 50 ms. No word has more than 30
 * (UAX #15). Half-width kana marks turn into marks.
 */
function withFewMarks(text: string): string {
  return text.replace(/([\p{M}\uff9e\uff9f]{1,30})[\p{M}\uff9e\uff9f]*/gu, '$1');
}

/** Filled as characters occur: looking up a character is far cheaper than folding it. */
const foldedCharacters = new Map<number, string>();
const rememberedMax = 65_536;

function rememberedCharacter(point: number): string {
  const folded = foldCharacter(String.fromCodePoint(point));
  if (foldedCharacters.size < rememberedMax) foldedCharacters.set(point, folded);
  return folded;
}

/** Apostrophes don't separate words (O'Brien); neither do invisible characters and the Arabic tatweel. */
const ignored = /['‘’`ʹʻʼ′׳ـ]|\p{Cf}|\p{Default_Ignorable_Code_Point}/u;
/** Dashes, and the dots in Gal·la and マリー・アントワネット. */
const hyphen = /[\p{Pd}·・]/u;
const wordCharacter = /[\p{L}\p{M}\p{N}]/u;
const digit = /\p{Nd}/u;

/** Marks that are optional in writing. The vowel signs of Indic scripts are not, nor is the voicing of kana. */
const optionalMarks =
  /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;

/** What is typed for letters that can't be decomposed. */
const replacements: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', ł: 'l', ħ: 'h', ı: 'i' },
  ...{ ŧ: 't', ŋ: 'n', ə: 'e', ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y', ς: 'σ' },
  // Keyboards and habits differ in these.
  ...{ ٱ: 'ا', ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك' },
};

function foldCharacter(character: string): string {
  if (ignored.test(character)) return '';
  if (hyphen.test(character)) return '-';
  if (!wordCharacter.test(character)) return ' ';
  if (digit.test(character)) return asciiDigit(character);
  if (character in letterSpellings) return character;
  const letter = character.normalize('NFD').replace(optionalMarks, '').normalize('NFC');
  return replacements[letter] ?? plainLetter(letter);
}

/** The digits of a script are consecutive, from zero to nine. */
function asciiDigit(character: string): string {
  const point = character.codePointAt(0) as number; // the character is a digit
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value);
}

/** Everything but the space and the punctuation of ASCII. Folded text contains no other separators. */
const words = /[^ -/:-@[-`{-~]+/g;
const hyphenatedWords = /[^ -,./:-@[-`{-~]+/g;

function splitWords(folded: string): string[] {
  return folded.match(words) ?? [];
}

/** annemarie for Anne-Marie, and 山田太郎 for 山田 太郎, where the space is a matter of style. */
function compoundsIn(folded: string): string[] {
  const hyphenated = printableAscii.test(folded) ? folded : folded.replace(optionalSpaces, '-');
  if (!hyphenated.includes('-')) return [];
  const compounds = hyphenated.match(hyphenatedWords)?.filter((word) => word.includes('-')) ?? [];
  return compounds.map((word) => word.replaceAll('-', '')).filter((word) => word !== '');
}

/** Letters that some people write without the diacritic, and others as two letters. */
const letterSpellings: Readonly<Record<string, readonly [plain: string, transcribed: string]>> = {
  ...{ ä: ['a', 'ae'], ö: ['o', 'oe'], ü: ['u', 'ue'], å: ['a', 'aa'], ø: ['o', 'oe'], đ: ['d', 'dj'] },
};
const transcribable = new RegExp(`[${Object.keys(letterSpellings).join('')}]`, 'g');

function plainLetter(letter: string): string {
  return letterSpellings[letter]?.[0] ?? letter;
}

function transcribedLetter(letter: string): string {
  return letterSpellings[letter]?.[1] ?? letter;
}

/** Up to this many different letters of a word are transcribed independently; of more, all or none. */
const independentLettersMax = 2;

function spellingsOf(word: string): string[] {
  const letters = word.match(transcribable);
  if (letters === null) return [word];
  const distinct = [...new Set(letters)];
  const choices = distinct.length <= independentLettersMax ? subsetsOf(distinct) : [[], distinct];
  return choices.map((chosen) =>
    word.replace(transcribable, (letter) =>
      chosen.includes(letter) ? transcribedLetter(letter) : plainLetter(letter),
    ),
  );
}

/** The empty subset comes first. */
function subsetsOf(letters: readonly string[]): string[][] {
  const subsets: string[][] = [[]];
  for (const letter of letters) subsets.push(...subsets.map((subset) => [...subset, letter]));
  return subsets;
}
