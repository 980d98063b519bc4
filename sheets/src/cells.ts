import type { FieldName } from './fields.js';
import { fieldRules } from './generated/rules.js';
import { type TextForm, textForms } from './generated/text-forms.js';
import { parseList } from './lists.js';
import { isShortenedNumber } from './uncertain.js';

export type FieldValue = string | boolean | readonly string[];

interface TextRule {
  readonly form?: TextForm;
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
}

const activeWords = new Set([
  ...['true', 'yes', 'y', '1', 'active', 'enabled', 'x'],
  ...['ja', 'j', 'wahr', 'aktiv'],
  ...['sí', 'si', 's', 'verdadero', 'activo', 'activa'],
]);
const inactiveWords = new Set([
  ...['false', 'no', 'n', '0', 'inactive', 'disabled'],
  ...['nein', 'falsch', 'inaktiv', 'nicht aktiv'],
  ...['falso', 'inactivo', 'inactiva', 'no activo'],
]);

/**
 * The value of a text, or undefined if it violates the field's rule. A text of control characters alone is empty. What
 * looks like a number that a spreadsheet has shortened is refused, unless the cell is marked as text.
 */
export function parseCell(field: FieldName, text: string, isText = false): FieldValue | undefined {
  if (!isText && isShortenedNumber(field, text)) return undefined;
  if (field === 'isActive') return parseFlag(text);
  if (field === 'tagSerials') return parseTags(text);
  if (field === 'employeeID') return readEmployeeID(text);
  const value = stored(text, fieldRules[field]);
  return value === '' || fits(value, fieldRules[field], patterns[field]) ? value : undefined;
}

/** The text in the form in which the service stores it. */
function stored(text: string, { form }: TextRule): string {
  return form ? textForms[form](text) : text;
}

/** The fields whose cells name organizations and tags. */
export const entryFields = ['organizationSerial', 'tagSerials'] as const;
export type EntryField = (typeof entryFields)[number];

/** The serial that a name in a file means; null if the name is left out, and undefined if nobody knows. */
export type MeaningOf = (field: EntryField, name: string) => string | null | undefined;

export function isEntryField(field: FieldName): field is EntryField {
  return field === 'organizationSerial' || field === 'tagSerials';
}

/** The names in a cell, without characters that nobody means. Spaces around a name may belong to a serial. */
export function entryNamesIn(field: EntryField, text: string): readonly string[] {
  const names = field === 'tagSerials' ? parseList(text) : [text];
  return names.map(textForms.serial).filter((name) => name !== '');
}

const entryName = /^[^\0\p{Cs}]{1,200}$/u;

/** Whether the service can know something by this name. */
export function isEntryName(name: string): boolean {
  return entryName.test(name);
}

/** A name of which nobody knows what it means. */
export interface UnknownName {
  readonly unknown: string;
}

export function isUnknownName(value: FieldValue | UnknownName): value is UnknownName {
  return typeof value === 'object' && 'unknown' in value;
}

/** The serials that the names in a cell mean. Null if all are left out: the cell says nothing about its user. */
export function parseEntries(
  field: EntryField,
  text: string,
  meaningOf: MeaningOf,
): FieldValue | UnknownName | null | undefined {
  const names = entryNamesIn(field, text);
  const serials = new Set<string>();
  for (const name of names) {
    if (!isEntryName(name)) return undefined;
    const serial = meaningOf(field, name);
    if (serial === undefined) return { unknown: name };
    if (serial !== null) serials.add(serial);
  }
  if (serials.size > fieldRules.tagSerials.maxItems) return undefined;
  if (names.length > 0 && serials.size === 0) return null;
  const [first = ''] = serials;
  return field === 'tagSerials' ? [...serials] : first;
}

export function parseFlag(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (activeWords.has(word)) return true;
  return inactiveWords.has(word) ? false : undefined;
}

function parseTags(text: string): readonly string[] | undefined {
  const { maxItems, item } = fieldRules.tagSerials;
  const texts = parseList(text).map((serial) => stored(serial, item));
  const serials = [...new Set(texts)].filter((serial) => serial !== '');
  return serials.length <= maxItems &&
    serials.every(
      (serial) => !isShortenedNumber('tagSerials', serial) && fits(serial, item, patterns.tagSerials),
    )
    ? serials
    : undefined;
}

/** The employee ID in a cell, or undefined if it violates the rule. Safe to keep: it references no other part of the file. */
export function readEmployeeID(text: string): string | undefined {
  const value = text.trim();
  return fits(value, fieldRules.employeeID, patterns.employeeID) ? ownCopy(value) : undefined;
}

/** A substring keeps the whole string in memory, which could be the whole file. */
export function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

const patterns = Object.fromEntries(
  Object.entries(fieldRules).map(([field, rule]) => {
    const pattern = rule.type === 'list' ? rule.item.pattern : rule.type === 'text' ? rule.pattern : '';
    return [field, new RegExp(pattern, 'u')];
  }),
) as Record<FieldName, RegExp>;

/** Lengths are in code points, as in the service. */
function fits(value: string, { minLength, maxLength }: TextRule, pattern: RegExp): boolean {
  if (value.length < minLength || value.length > 2 * maxLength) return false;
  return (value.length <= maxLength || [...value].length <= maxLength) && pattern.test(value);
}
