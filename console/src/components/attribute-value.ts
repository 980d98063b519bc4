import { limits, type Schemas } from '@rollcall/client';
import { type AttributeField, attributeKey, isAttributeField } from '@rollcall/sheets';
import { attributesCopy, commonCopy } from '../copy/copy.js';
import { formatDay, formatDecimal } from '../copy/format.js';
import { type Language, language, languageChoices } from '../copy/language.js';
import { formatValue, isEmpty } from './field-value.js';

/** A field that an administrator has defined. */
export type Attribute = Schemas['Attribute'];
export type AttributeType = Attribute['type'];

/** Empty texts and lists stand for no value. */
export type AttributeValue = string | number | boolean | readonly string[];

/** Undefined if it is not defined, or not for the eyes of the user. */
export function attributeOf(field: string, attributes: readonly Attribute[]): Attribute | undefined {
  return isAttributeField(field) ? attributes.find(({ key }) => key === attributeKey(field)) : undefined;
}

/** In the language of the user, or else in any, or else the key. */
export function attributeLabel(
  { key, labels }: Pick<Attribute, 'key' | 'labels'>,
  wanted: Language = language,
): string {
  return labels[wanted] ?? languageChoices.map(([each]) => labels[each]).find(Boolean) ?? key;
}

export function attributeName(field: AttributeField, attributes: readonly Attribute[]): string {
  const attribute = attributeOf(field, attributes);
  return attribute ? attributeLabel(attribute) : attributeKey(field);
}

const day = /^\d{4}-\d{2}-\d{2}$/;

/** A value as text. Without a type, it is shown as it is. */
export function formatAttribute(type: AttributeType | undefined, value: unknown): string {
  if (typeof value === 'number') return formatDecimal(value);
  if (Array.isArray(value) && value.some((entry) => String(entry).includes(','))) return value.join('; ');
  if (type === 'date' && typeof value === 'string' && day.test(value)) return formatDay(value);
  return formatValue(value);
}

/** The same where empty cells are common. */
export function attributeCell(type: AttributeType | undefined, value: unknown): string {
  return isEmpty(value) ? commonCopy.none : formatAttribute(type, value);
}

interface AttributeChange {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a change of attributes did to each of them. */
export function changedAttributes(change: unknown): AttributeChange[] {
  const { before, after } = recordOf(change);
  const [was, is] = [recordOf(before), recordOf(after)];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].map((key) => ({ key, before: was[key], after: is[key] }));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(null), value);
}

const rules = attributesCopy.rules;

/** What is wrong with a value, as far as the console can tell. The service also checks patterns. */
export function attributeProblem(attribute: Attribute, value: AttributeValue): string | undefined {
  if (isEmpty(value) || isAccepted(attribute, value)) return undefined;
  if (typeof value === 'number' && !isExact(value)) {
    return rules.digits(limits.attributeNumberDigitsMax, formatDecimal(limits.attributeNumberMinimum));
  }
  return attributeRule(attribute);
}

function isAccepted(attribute: Attribute, value: AttributeValue): boolean {
  switch (attribute.type) {
    case 'text':
      return typeof value === 'string' && [...value].length <= lengthOf(attribute);
    case 'number':
      return typeof value === 'number' && isExact(value) && isWithin(attribute, value);
    case 'date':
      return typeof value === 'string' && day.test(value) && isWithin(attribute, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && (attribute.choices ?? []).includes(value);
    case 'list':
      return (
        Array.isArray(value) &&
        value.length <= limits.attributeListMaxCount &&
        value.every((each) => [...each].length <= lengthOf(attribute))
      );
  }
}

/** Bounds are of the same type as values, and days compare like texts. */
function isWithin({ minimum, maximum }: Attribute, value: number | string): boolean {
  return (minimum === null || value >= minimum) && (maximum === null || value <= maximum);
}

/** Longer numbers are not the same after a program has read them. */
function isExact(value: number): boolean {
  const text = String(value);
  const digits = text.replace(/^-?0?\.?0*|\./g, '');
  return Number.isFinite(value) && !text.includes('e') && digits.length <= limits.attributeNumberDigitsMax;
}

function lengthOf({ maxLength }: Attribute): number {
  return maxLength ?? limits.attributeTextDefaultLength;
}

const exampleNumber = 1234.5;

/** What an attribute accepts. */
export function attributeRule(attribute: Attribute): string {
  switch (attribute.type) {
    case 'text':
      return attribute.pattern === null
        ? rules.text(lengthOf(attribute))
        : `${rules.pattern(attribute.pattern)} ${rules.text(lengthOf(attribute))}`;
    case 'number':
      return boundsRule(attribute) ?? rules.number(formatDecimal(exampleNumber));
    case 'date':
      return boundsRule(attribute) ?? rules.date;
    case 'boolean':
      return rules.boolean;
    case 'choice':
      return choiceRule(attribute.choices ?? []);
    case 'list':
      return rules.list(lengthOf(attribute), limits.attributeListMaxCount);
  }
}

const choicesNamedMax = 12;

function choiceRule(choices: readonly string[]): string {
  return choices.length > choicesNamedMax ? rules.choice : rules.oneOf(choices.join(', '));
}

function boundsRule({ type, minimum, maximum }: Attribute): string | undefined {
  const [from, to] = [minimum, maximum].map((bound) => formatAttribute(type, bound)) as [string, string];
  if (minimum !== null && maximum !== null) return rules.between(from, to);
  if (minimum !== null) return rules.atLeast(from);
  return maximum === null ? undefined : rules.atMost(to);
}

let known: readonly Attribute[] = [];

/** Errors are put into words outside of components, where the definitions can't be asked for. */
export function rememberAttributes(attributes: readonly Attribute[]): void {
  known = attributes;
}

export function rememberedAttributes(): readonly Attribute[] {
  return known;
}
