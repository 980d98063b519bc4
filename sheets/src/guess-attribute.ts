import { parseNumber } from './attribute-cells.js';
import type { AttributeType } from './attributes.js';
import { parseFlag } from './cells.js';
import { parseDate } from './dates.js';
import { parseList } from './lists.js';

/** What a column that belongs to no field could be defined as. */
export interface GuessedAttribute {
  readonly key: string;
  readonly label: string;
  readonly type: AttributeType;
}

/**
 * Proposes an attribute for a column, from its heading and some of its cells. It never proposes a choice: cells that
 * were not looked at may contain further ones. Keys that are taken get a number.
 */
export function guessAttribute(
  heading: string,
  sampleCells: readonly string[],
  takenKeys: readonly string[] = [],
): GuessedAttribute {
  const label = heading.replace(/\s+/g, ' ').trim();
  const cells = sampleCells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return { key: freeKey(keyOf(label), takenKeys), label, type: typeOf(label, cells) };
}

const keyLengthMax = 64;
const letters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
};

/** "Größe (cm)" becomes groesseCm, and "2. Standort" standort. */
function keyOf(label: string): string {
  const words = label
    .normalize('NFC')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(/[äöüßæøł]/g, (letter) => letters[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/^[^a-z]+(?=[^a-z0-9])/, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  const key = /^[a-z]/.test(joined) ? joined : `attribute${joined}`;
  return key.slice(0, keyLengthMax);
}

function freeKey(key: string, taken: readonly string[]): string {
  const used = new Set(taken.map((each) => each.toLowerCase()));
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : String(number);
    const candidate = key.slice(0, keyLengthMax - suffix.length) + suffix;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
}

/** Digits under these headings are identifiers, which can have leading zeros one day. */
const ofIdentifiers =
  /\b(?:id|ids|no|nr|number|code|key|zip|postcode|plz|nummer|kennung|schlüssel|cuenta|código|número|card|badge|room|cost ?cent(?:er|re)|raum|konto|account|iban|phone|tel)\b|(?:nummer|nr|code|stelle|schlüssel|leitzahl)\b/iu;

function typeOf(label: string, cells: readonly string[]): AttributeType {
  if (cells.length === 0) return 'text';
  if (cells.every((cell) => parseDate(cell) !== undefined)) return 'date';
  if (cells.every(isNumber) && !ofIdentifiers.test(label)) return 'number';
  // 1 and 0 are numbers, and x alone could mean anything.
  if (cells.every((cell) => cell.length > 1 && parseFlag(cell) !== undefined)) return 'boolean';
  const lists = cells.filter((cell) => /[;|\n]/.test(cell) && parseList(cell).length > 1);
  return lists.length * 2 >= cells.length ? 'list' : 'text';
}

function isNumber(cell: string): boolean {
  return !/^[+-]?0\d/.test(cell) && parseNumber(cell) !== undefined;
}
