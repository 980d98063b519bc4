import { Type } from 'typebox';
import { matchesPattern } from './attribute-patterns.js';
import type { AttributeValue } from './attribute-values.js';
import type { AttributeSettings, Bound } from './attributes.js';
import { type Field, flagField, lineField } from './fields.js';
import { attributeLimits } from './limits.js';

/** The rule for the values of an attribute. They follow the rules of all fields: "" and [] are empty. */
export function attributeField(attribute: AttributeSettings): Field<AttributeValue> {
  switch (attribute.type) {
    case 'text':
      return textField(attribute);
    case 'number':
      return numberField(attribute);
    case 'date':
      return dateField(attribute);
    case 'boolean':
      return { ...flagField(''), normalize: emptyToNull };
    case 'choice':
      return choiceField(attribute.choices ?? []);
    case 'list':
      return listField(attribute);
  }
}

/** Whether it is a day of the calendar, without a time. */
export function isDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-(0[1-9]|1[0-2])-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Whether it is written with few enough digits to be the same number in every program. */
export function isExactNumber(value: number): boolean {
  if (value === 0) return true;
  const text = String(value);
  return (
    Number.isFinite(value) &&
    Math.abs(value) >= attributeLimits.numberMinimum &&
    !text.includes('e') &&
    text.replace(/^-?0?\.?0*|\./g, '').length <= attributeLimits.numberDigitsMax
  );
}

/** Whether a number is the same after it was parsed: 1e-400 becomes 0, and 1.00000000000000001 becomes 1. */
export function isSameNumber(literal: string): boolean {
  return literal.length <= literalMaxLength && decimalOf(literal) === decimalOf(String(Number(literal)));
}

/** A longer one has too many digits in any case. */
const literalMaxLength = 400;

/** The digits without zeros at either end, and the power of ten by which they are multiplied. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

function emptyToNull(sent: unknown): unknown {
  return sent === '' ? null : sent;
}

function textField({ maxLength, pattern }: AttributeSettings): Field<AttributeValue> {
  const line = lineField({ example: '', maxLength: maxLength ?? attributeLimits.textDefaultLength });
  return {
    ...line,
    rule: pattern === null ? line.rule : `${line.rule}, that matches ${pattern}`,
    accepts: (value): value is string =>
      line.accepts(value) && (pattern === null || matchesPattern(pattern, value)),
    explainProblem: (value) => (line.accepts(value) ? `must match ${pattern}` : line.explainProblem?.(value)),
  };
}

function numberField({ minimum, maximum }: AttributeSettings): Field<AttributeValue> {
  const isWithin = (value: number) =>
    (minimum === null || value >= Number(minimum)) && (maximum === null || value <= Number(maximum));
  return {
    schema: Type.Number(),
    rule: `a number${boundsOf(minimum, maximum)}`,
    normalize: (sent) => (Object.is(sent, -0) ? 0 : emptyToNull(sent)),
    accepts: (value): value is number => typeof value === 'number' && isExactNumber(value) && isWithin(value),
    explainProblem: (value) =>
      typeof value === 'number' && !isExactNumber(value) ? inexactNumber : undefined,
  };
}

export const inexactNumber = `must have at most ${attributeLimits.numberDigitsMax} digits, and not be closer to zero than ${attributeLimits.numberMinimum}, because other numbers change in many programs; use a text for identifiers`;

function dateField({ minimum, maximum }: AttributeSettings): Field<AttributeValue> {
  const isWithin = (value: string) =>
    (minimum === null || value >= String(minimum)) && (maximum === null || value <= String(maximum));
  return {
    schema: Type.String(),
    rule: `a date such as 2026-12-31${boundsOf(minimum, maximum)}`,
    normalize: (sent) => (typeof sent === 'string' ? sent.trim() || null : sent),
    accepts: (value): value is string => typeof value === 'string' && isDate(value) && isWithin(value),
  };
}

function boundsOf(minimum: Bound | null, maximum: Bound | null): string {
  if (minimum !== null && maximum !== null) return ` from ${minimum} to ${maximum}`;
  if (minimum !== null) return ` of ${minimum} or more`;
  return maximum === null ? '' : ` up to ${maximum}`;
}

/** Long lists are not repeated in each error. */
const choicesNamed = 20;

function choiceField(choices: readonly string[]): Field<AttributeValue> {
  const rest = choices.length - choicesNamed;
  const named = choices.slice(0, choicesNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  const line = lineField({ example: '' });
  return {
    schema: Type.String(),
    rule: `one of ${named}`,
    normalize: line.normalize,
    accepts: (value): value is string => typeof value === 'string' && choices.includes(value),
  };
}

function listField({ maxLength }: AttributeSettings): Field<AttributeValue> {
  const item = lineField({ example: '', maxLength: maxLength ?? attributeLimits.textDefaultLength });
  const { listMaxCount } = attributeLimits;
  return {
    schema: Type.Array(Type.String()),
    rule: `an array of at most ${listMaxCount} elements, each ${item.rule}`,
    normalize: (sent) => {
      if (!Array.isArray(sent)) return emptyToNull(sent);
      const texts = sent.map((each) => item.normalize(each)).filter((each) => each !== null);
      const isSame = texts.length === sent.length && texts.every((each, at) => each === sent[at]);
      if (texts.length === 0) return null;
      return isSame ? sent : texts;
    },
    accepts: (value): value is string[] =>
      Array.isArray(value) && value.length <= listMaxCount && value.every((each) => item.accepts(each)),
    explainProblem: (value) => {
      if (!Array.isArray(value) || value.length > listMaxCount) return undefined;
      const at = value.findIndex((each) => !item.accepts(each));
      return `must be a list of texts; element ${at + 1} must be ${item.rule}`;
    },
  };
}
