import type { Attribute } from './attributes.js';
import { parseFlag } from './cells.js';
import { parseDate } from './dates.js';
import { attributeRules } from './generated/rules.js';
import { textForms } from './generated/text-forms.js';
import { parseList } from './lists.js';
import { isShortened } from './uncertain.js';

/** An empty text clears an attribute of any type. */
export type AttributeValue = string | number | boolean | readonly string[];

/**
 * The value of a text that isn't empty, or undefined if the attribute doesn't accept it. Whether a text matches the
 * pattern of its attribute is left to the service: patterns of RE2 mean something else to the programs that read files.
 */
export function parseAttribute(
  attribute: Attribute,
  text: string,
  isText = false,
): AttributeValue | undefined {
  const { type } = attribute;
  if (type === 'boolean') return parseFlag(text);
  if (type === 'date') return within(attribute, parseDate(text));
  if (isShortened(text) && (!isText || type === 'number')) return undefined;
  if (type === 'number') return within(attribute, parseNumber(text));
  if (type === 'choice') return parseChoice(attribute.choices ?? [], text);
  if (type === 'text') return line(text, attribute);
  const texts = parseList(text).map((entry) => line(entry, attribute));
  const isAccepted = texts.length <= attributeRules.listMaxCount && !texts.includes(undefined);
  return isAccepted ? (texts as string[]).filter((entry) => entry !== '') : undefined;
}

/** What an attribute accepts in a cell. */
export function attributeRule(attribute: Attribute): string {
  const { type, minimum, maximum, choices } = attribute;
  switch (type) {
    case 'boolean':
      return 'yes or no, true or false, 1 or 0';
    case 'date':
      return `a date such as 2026-12-31 or 31.12.2026${bounds(minimum, maximum)}`;
    case 'number':
      return `a number such as 1234.5, of at most ${attributeRules.numberDigitsMax} digits${bounds(minimum, maximum)}`;
    case 'choice':
      return `one of ${named(choices ?? [])}`;
    case 'text':
      return `a text of at most ${lengthOf(attribute)} characters`;
    case 'list':
      return `at most ${attributeRules.listMaxCount} texts of at most ${lengthOf(attribute)} characters, separated by commas`;
  }
}

function bounds(minimum: Attribute['minimum'], maximum: Attribute['maximum']): string {
  if (minimum !== null && maximum !== null) return `, from ${minimum} to ${maximum}`;
  if (minimum !== null) return `, not less than ${minimum}`;
  return maximum === null ? '' : `, not more than ${maximum}`;
}

const choicesNamedMax = 20;

function named(choices: readonly string[]): string {
  const more = choices.length - choicesNamedMax;
  return choices.slice(0, choicesNamedMax).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Dates in this form are in the order of their texts. */
function within<Value extends number | string>(
  { minimum, maximum }: Attribute,
  value: Value | undefined,
): Value | undefined {
  if (value === undefined) return undefined;
  return (minimum === null || value >= minimum) && (maximum === null || value <= maximum) ? value : undefined;
}

/** Spaces and apostrophes group digits everywhere; a point or a comma does if the other one follows, or if it repeats. */
const numberForms: readonly (readonly [pattern: RegExp, groups: RegExp])[] = [
  [/^[+-]?\d+(?:\.\d+)?$/, /$^/],
  [/^[+-]?\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?$/, /[ '’]/g],
  [/^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/, /,/g],
  [/^[+-]?\d{1,3}(?:,\d{3}){2,}$/, /,/g],
  [/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/, /\./g],
  [/^[+-]?\d{1,3}(?:\.\d{3}){2,}$/, /\./g],
  // 1,234 is two numbers, depending on the country. 0,234 and 12,5 are not.
  [/^[+-]?(?:\d*,(?!\d{3}$)\d+|0,\d+|\d{4,},\d+)$/, /$^/],
];

/** A number in any common notation that has only one meaning. */
export function parseNumber(text: string): number | undefined {
  const plain = text.replace(/^[−–]/, '-').replace(/[\u00A0\u202F\u2009]/g, ' ');
  const [, groups] = numberForms.find(([pattern]) => pattern.test(plain)) ?? [];
  if (groups === undefined) return undefined;
  const digits = plain.replace(groups, '').replace(',', '.');
  const significant = digits.replace(/(\.\d*?)0+$/, '$1').replace(/^[+-]?[0.]*|\./g, '').length;
  const value = Number(digits);
  const isExact = significant <= attributeRules.numberDigitsMax && !String(value).includes('e');
  return isExact ? value + 0 : undefined; // adding 0 makes -0 positive
}

/** A choice that differs only in case and spacing is meant, if there is one such. */
function parseChoice(choices: readonly string[], text: string): string | undefined {
  const given = textForms.line(text);
  if (choices.includes(given)) return given;
  const alike = choices.filter((choice) => loose(choice) === loose(given));
  return alike.length === 1 ? alike[0] : undefined;
}

function loose(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ');
}

const pattern = new RegExp(attributeRules.text.pattern, 'u');

function line(text: string, attribute: Attribute): string | undefined {
  const value = textForms.line(text);
  if (value === '') return '';
  return [...value].length <= lengthOf(attribute) && pattern.test(value) ? value : undefined;
}

function lengthOf({ maxLength }: Attribute): number {
  return maxLength ?? attributeRules.text.maxLength;
}
