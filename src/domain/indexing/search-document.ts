import { type SearchedField, searchedFields } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';
import { foldedName, foldedSpellings, foldedWords, isSpaceless, phoneDigits } from './fold.js';

export interface SearchableUser extends Pick<StoredUser, SearchedField>, OtherTexts {}

/** What a user is found by besides fields. */
interface OtherTexts {
  readonly formerEmployeeIDs?: readonly string[];
  readonly attributeTexts?: readonly string[];
}

const ownRules: readonly SearchedField[] = ['name', 'phone', 'employeeID'];
const others = searchedFields.filter((field) => !ownRules.includes(field));

/** All words by which a user is found, each once, separated and surrounded by single spaces. */
export function searchDocument(user: SearchableUser, more: OtherTexts = user): string {
  const { name, employeeID, phone } = user;
  const { formerEmployeeIDs = [], attributeTexts = [] } = more;
  const words = new Set<string>();
  // Folded separately: usually only the name contains more than ASCII, which folds faster.
  for (const spellings of foldedName(name)) addWords(words, spellings);
  const texts: (string | null)[] = [employeeID, ...formerEmployeeIDs, ...attributeTexts];
  for (const field of others) texts.push(user[field]);
  for (const spellings of foldedSpellings(texts.filter((text) => text !== null).join(' ')))
    addWords(words, spellings);
  if (phone !== null) addWords(words, phoneWords(phone));
  return ` ${[...words].join(' ')} `;
}

/**
 * One or two characters match only the beginning of a word. So a number is also added without leading zeros, 42 finds
 * 000042, and what is written without spaces with its characters in pairs: 龙 and 小龙 find 李小龙.
 */
function addWords(words: Set<string>, added: readonly string[]): void {
  for (const word of added) {
    words.add(word);
    if (/^0+[1-9]\d*$/.test(word)) words.add(word.replace(/^0+/, ''));
    if (isSpaceless(word)) for (const pair of pairsIn(word)) words.add(pair);
  }
}

function pairsIn(word: string): string[] {
  const characters = [...word];
  return characters.flatMap((first, index) => {
    const pair = first + (characters[index + 1] ?? '');
    return isSpaceless(pair) ? [pair] : [];
  });
}

/** The number as one word and, if there is more than a number, such as an extension, each word of the text. */
function phoneWords(phone: string): string[] {
  const digits = phoneDigits(phone);
  const words = /\p{L}/u.test(phone) ? foldedWords(phone) : [];
  return digits === '' ? words : [...words, digits];
}
